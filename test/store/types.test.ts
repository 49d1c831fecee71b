import { HandleStateStrategy, type WfState } from '@atscript/moost-wf'
import type { DbRowOf, DbTableType } from '@atscript/moost-wf/db'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import {
  AsWfStore,
  type AsWfStoreOptions,
  type WfAdminStore,
  type WfListOptions,
  type WfRowView,
  type WfStoredRow,
  type WfTable,
} from '@atscript/moost-wf/store'
import { afterAll, describe, expectTypeOf, it } from 'vitest'
import { ExpenseStateRow } from '../fixtures/schemas/expense-state-row.as'
import { publicTable } from '../support/public-table'

type Row = DbRowOf<typeof ExpenseStateRow>

const space = openSqlite(':memory:')
afterAll(() => space.close())
const table = space.table(ExpenseStateRow)
const store = new AsWfStore({ table })
const describer = {}

describe('a store that knows its row', () => {
  it('is inferred from its table', () => {
    expectTypeOf(store).toEqualTypeOf<AsWfStore<Row & object>>()
    expectTypeOf(store).toExtend<AsWfStore<Row>>()
  })

  it('gives out typed rows, with the columns that were selected', () => {
    const all = () => store.list()
    expectTypeOf<Awaited<ReturnType<typeof all>>[number]['stage']>().toEqualTypeOf<string>()
    type Amount = Awaited<ReturnType<typeof all>>[number]['amount']
    expectTypeOf<Amount>().toEqualTypeOf<number | null | undefined>()
    const some = () => store.list({ controls: { $select: ['amount', 'version'] } })
    type Some = Awaited<ReturnType<typeof some>>[number]
    expectTypeOf<keyof Some>().toEqualTypeOf<'amount' | 'version'>()
    expectTypeOf<Some['version']>().toEqualTypeOf<number>()
    const one = () => store.getRow('id')
    type View = NonNullable<Awaited<ReturnType<typeof one>>>
    expectTypeOf<View['row']['stage']>().toEqualTypeOf<string>()
    expectTypeOf<View['state']>().toEqualTypeOf<WfState | null>()
    const counts = () => store.countBy('stage')
    type Count = Awaited<ReturnType<typeof counts>>[number]
    expectTypeOf<Count['value']>().toEqualTypeOf<string>()
  })

  it('takes its own columns', () => {
    const check = () => {
      const big = { amount: { $gte: 1000 }, $or: [{ applicant: null }, { stage: 'new' }] }
      void store.list({ filter: big, controls: { $sort: { amount: -1 }, $select: ['stage'] } })
      void store.count({ schemaId: 'x', filter: big })
      void store.countBy('stage', { filter: big })
      void store.toSql('list', { filter: big })
      void store.revoke(big)
      void store.revoke('handle')
      void store.heal({ filter: big })
      void store.drift({ filter: big })
      void store.checkPaused(describer, { filter: big })
    }
    expectTypeOf(check).returns.toBeVoid()
  })

  it('refuses a column that it does not have, and a value of another type', () => {
    const check = () => {
      // @ts-expect-error -- no such column
      void store.list({ filter: { amuont: 1 } })
      // @ts-expect-error -- nor deeper down
      void store.list({ filter: { $or: [{ amuont: 1 }] } })
      // @ts-expect-error -- an amount is a number
      void store.list({ filter: { amount: '1' } })
      // @ts-expect-error -- also when it is compared
      void store.list({ filter: { amount: { $gte: '1' } } })
      // @ts-expect-error -- no such operator
      void store.list({ filter: { amount: { $least: 1 } } })
      // @ts-expect-error -- no such column to sort by
      void store.list({ controls: { $sort: { amuont: 1 } } })
      // @ts-expect-error -- no such column to select
      void store.list({ controls: { $select: ['amuont'] } })
      // @ts-expect-error -- no such control
      void store.list({ controls: { $top: 1 } })
      // @ts-expect-error -- no such option
      void store.list({ applicant: 'ada' })
      // @ts-expect-error -- no such column to count
      void store.count({ filter: { amuont: 1 } })
      // @ts-expect-error -- no such column to count by
      void store.countBy('amuont')
      // @ts-expect-error -- no such column to show the SQL of
      void store.toSql('count', { filter: { amuont: 1 } })
      // @ts-expect-error -- no such column to revoke by
      void store.revoke({ aplicant: 'ada' })
      // @ts-expect-error -- no such column to heal by
      void store.heal({ filter: { amuont: 1 } })
      // @ts-expect-error -- no such column to look for drift by
      void store.drift({ filter: { amuont: 1 } })
      // @ts-expect-error -- no such column to check by
      void store.checkPaused(describer, { filter: { amuont: 1 } })
    }
    expectTypeOf(check).returns.toBeVoid()
  })

  it('can be shown by the admin API', () => {
    expectTypeOf(store).toExtend<WfAdminStore>()
    expectTypeOf<AsWfStore>().toExtend<WfAdminStore>()
  })

  it('can be the base of another', () => {
    class Urgent extends AsWfStore<Row> {
      urgent() {
        // @ts-expect-error -- no such column
        void this.list({ filter: { urgency: true } })
        return this.list({ filter: { urgent: true }, controls: { $select: ['applicant'] } })
      }
    }
    type Found = Awaited<ReturnType<Urgent['urgent']>>[number]
    expectTypeOf<Found>().toEqualTypeOf<{ applicant?: string | null | undefined }>()
  })
})

describe('a store that was not told its row', () => {
  it('takes the place of any store, and any table', () => {
    expectTypeOf(store).toExtend<AsWfStore>()
    expectTypeOf(table).toExtend<WfTable>()
    const check = (type: DbTableType) => [
      new HandleStateStrategy({ store }),
      new AsWfStore({ table: publicTable(table) }) satisfies AsWfStore,
      new AsWfStore({ table: space.table(type) }) satisfies AsWfStore,
      // oxlint-disable-next-line typescript/no-explicit-any -- as the specification has it
      new AsWfStore({ table: table as any }) satisfies AsWfStore,
    ]
    expectTypeOf(check).returns.toBeArray()
    expectTypeOf(AsWfStore).toExtend<new (options: AsWfStoreOptions) => AsWfStore>()
  })

  it('takes and gives any column', () => {
    const check = (plain: AsWfStore, filter: object) => {
      void plain.list({ filter, controls: { $select: ['anything'], $sort: { anything: 1 } } })
      void plain.revoke({ anything: 1 })
      void plain.heal({ filter })
      void plain.countBy('anything')
      return plain.list({ filter: { anything: 1 } })
    }
    expectTypeOf(check).returns.resolves.toEqualTypeOf<WfStoredRow[]>()
    expectTypeOf<AsWfStore['getRow']>().returns.resolves.toEqualTypeOf<WfRowView | null>()
  })

  it('can be the base of another, for any table', () => {
    class Tenant extends AsWfStore {
      constructor(
        readonly tenantId: string,
        options: AsWfStoreOptions,
      ) {
        super(options)
      }

      protected override scope() {
        return { tenantId: this.tenantId }
      }

      override async list(options?: WfListOptions) {
        return super.list(options)
      }
    }
    expectTypeOf(Tenant).toBeConstructibleWith('mine', { table })
    expectTypeOf(Tenant).toBeConstructibleWith('mine', { table: publicTable(table) })
    expectTypeOf<Tenant>().toExtend<AsWfStore>()
  })
})
