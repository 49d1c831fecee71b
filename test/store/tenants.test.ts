import type { WfState } from '@atscript/moost-wf'
import {
  AsWfStore,
  type AsWfStoreOptions,
  type WfSetPayloadOptions,
  type WfTable,
} from '@atscript/moost-wf/store'
import { describe, expect, it } from 'vitest'
import { expense, openExpenses } from '../support/expense-store'
import { publicTable } from '../support/public-table'

/** By the hook that is made for it. */
class ScopedStore extends AsWfStore {
  constructor(
    private tenantId: string,
    options: AsWfStoreOptions,
  ) {
    super(options)
  }

  protected override scope() {
    return { tenantId: this.tenantId }
  }
}

/** By fields, which are not there yet while the base class is constructed. */
class FieldTenantStore extends AsWfStore {
  constructor(
    private tenantId: string,
    options: AsWfStoreOptions,
  ) {
    super(options)
  }

  protected override findRow = async (handle: string): Promise<never> =>
    (await this.table.findOne({ filter: { handle, tenantId: this.tenantId } })) as never

  protected override scope() {
    return this.tenantId === undefined ? {} : { tenantId: this.tenantId }
  }
}

/** As the specification's sample does it, which test/store/specification.test.ts runs as it stands. */
class TenantedAsWfStore extends AsWfStore {
  constructor(
    private tenantId: string,
    opts: AsWfStoreOptions,
  ) {
    super(opts)
  }

  // Layer tenant scope into every read.
  protected override async findRow(handle: string) {
    return (await this.table.findOne({
      filter: { handle, tenantId: this.tenantId },
    })) as never
  }

  // Stamp tenantId on every write.
  protected override buildSetPayload(handle: string, state: WfState, opts: WfSetPayloadOptions) {
    return { ...super.buildSetPayload(handle, state, opts), tenantId: this.tenantId }
  }
}

type Tenant = typeof ScopedStore | typeof FieldTenantStore | typeof TenantedAsWfStore

const WAYS: [string, Tenant, (table: WfTable) => WfTable][] = [
  ['scope()', ScopedStore, table => table],
  ['findRow as a field', FieldTenantStore, table => table],
  ['findRow and buildSetPayload', TenantedAsWfStore, table => table],
  ['scope() on a public table', ScopedStore, publicTable],
  ['findRow and buildSetPayload on a public table', TenantedAsWfStore, publicTable],
]

async function openTenants(Store: Tenant, wrap: (table: WfTable) => WfTable) {
  const { table, clock, rowOf } = await openExpenses()
  const options = { table: wrap(table), clock }
  const mine = new Store('mine', options)
  const theirs = new Store('theirs', options)
  await theirs.set('h', expense({ applicant: 'them' }), clock.now() + 1000)
  return { mine, theirs, table, clock, rowOf }
}

describe.each(WAYS)('a tenant by %s', (_way, Store, wrap) => {
  it('does not see the rows of another', async () => {
    const { mine, theirs } = await openTenants(Store, wrap)
    expect(await mine.get('h')).toBeNull()
    expect(await mine.getSnapshot('h')).toBeNull()
    expect(await mine.getMany(['h'])).toEqual(new Map())
    expect((await theirs.get('h'))?.state.context).toEqual({ applicant: 'them' })
    expect([...(await theirs.getMany(['h'])).keys()]).toEqual(['h'])
  })

  it('can neither see nor act on a row of another by its id', async () => {
    const { mine, theirs, rowOf } = await openTenants(Store, wrap)
    const { id } = await rowOf('h')
    const { expiresAt } = await rowOf('h')
    expect(await mine.getRow(id)).toBeNull()
    expect(await mine.revokeRow(id, 1)).toBe(false)
    expect(await mine.extendRow(id, 1, Number(expiresAt) + 1)).toBeNull()
    expect(await mine.reissueRow(id, 1, async () => {})).toBeNull()
    expect(await rowOf('h')).toMatchObject({ version: 1, expiresAt })
    expect(await theirs.revokeRow(id, 1)).toBe(true)
  })

  it('can neither consume nor delete them', async () => {
    const { mine, theirs } = await openTenants(Store, wrap)
    expect(await mine.getAndDelete('h')).toBeNull()
    expect(await mine.getAndDelete('h', { version: 1 })).toBeNull()
    await mine.delete('h')
    expect((await theirs.getAndDelete('h'))?.state.context).toEqual({ applicant: 'them' })
    expect(await theirs.getAndDelete('h')).toBeNull()
  })

  it('can not overwrite them', async () => {
    const { mine, theirs, rowOf } = await openTenants(Store, wrap)
    const conflict = { code: 'WF_CONFLICT' }
    await expect(mine.set('h', expense({ applicant: 'me' }))).rejects.toMatchObject(conflict)
    for (const expectedVersion of [0, 1, 2]) {
      const write = mine.set('h', expense({}), undefined, { expectedVersion })
      await expect(write).rejects.toMatchObject(conflict)
    }
    expect(await rowOf('h')).toMatchObject({ tenantId: 'theirs', version: 1, applicant: 'them' })
    await theirs.set('h', expense({ applicant: 'still them' }))
    expect(await rowOf('h')).toMatchObject({
      tenantId: 'theirs',
      version: 2,
      applicant: 'still them',
    })
  })

  it('works with rows of its own', async () => {
    const { mine, rowOf } = await openTenants(Store, wrap)
    await mine.set('m', expense({ applicant: 'me' }))
    await mine.set('m', expense({ applicant: 'me again' }))
    expect(await rowOf('m')).toMatchObject({ tenantId: 'mine', version: 2, applicant: 'me again' })
    expect(await mine.getAndDelete('m')).toMatchObject({ version: 2 })
  })
})

it('a tenant neither writes nor deletes a row that is given to another meanwhile', async () => {
  const { mine, theirs, table, rowOf } = await openTenants(ScopedStore, wrapped => wrapped)
  await mine.set('m', expense({}))
  const { id } = await rowOf('m')
  const findOne = table.findOne.bind(table)
  // Between the look and the act, in the same version.
  table.findOne = (async (query: never) => {
    const row = await findOne(query)
    await table.updateMany({ id }, { tenantId: 'theirs' })
    return row
  }) as never
  const acts = [
    () => mine.revokeRow(id, 1),
    () => mine.extendRow(id, 1, 9e12),
    () => mine.reissueRow(id, 1, async () => {}),
  ]
  for (const act of acts) {
    await table.updateMany({ id }, { tenantId: 'mine' })
    await expect(act()).rejects.toMatchObject({ code: 'WF_CONFLICT' })
  }
  expect(await theirs.getRow(id)).toMatchObject({ row: { version: 1, handle: 'm' } })
})

// What is not about one handle, only scope() can narrow.
describe.each(WAYS.filter(([, Store]) => Store === ScopedStore))(
  'a tenant by %s',
  (_way, Store, wrap) => {
    it('lists, heals and cleans up its own rows alone', async () => {
      const { mine, theirs, table, clock } = await openTenants(Store, wrap)
      await mine.set('m', expense({ applicant: 'me' }), clock.now() + 1000)
      await table.updateMany({}, { applicant: 'wrong' })
      expect((await mine.list()).map(({ handle }) => handle)).toEqual(['m'])
      expect((await mine.list({ filter: { tenantId: 'theirs' } })).length).toBe(0)
      expect((await mine.list({ filter: { $or: [{ handle: 'h' }] } })).length).toBe(0)
      expect(await mine.drift()).toBe(1)
      expect(await mine.heal()).toBe(1)
      expect(await theirs.drift()).toBe(1)
      clock.advance(1000)
      expect(await mine.cleanup({ dryRun: true })).toBe(1)
      expect(await mine.cleanup()).toBe(1)
      expect((await theirs.list()).length).toBe(1)
    })
  },
)
