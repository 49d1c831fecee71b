import { AsWfLedger } from '@atscript/moost-wf'
import { FakeClock } from '@atscript/moost-wf/testing'
import { afterAll, beforeAll } from 'vitest'
import { WfLedgerRow } from '../fixtures/schemas/wf-ledger-row.as'
import type { TestDatabase, TestEngine } from './databases'

/** A database with the table of a ledger, for the tests of the suite that this is called in. */
export function useLedgerDatabase({ create }: Pick<TestEngine, 'create'>) {
  let database: TestDatabase
  let space: ReturnType<TestDatabase['open']>

  beforeAll(async () => {
    database = await create()
    space = database.open()
    space.table(WfLedgerRow)
    await space.sync()
  })
  afterAll(async () => {
    await space.close()
    await database.drop()
  })

  return {
    url: () => database.url,
    table: () => space.table(WfLedgerRow),
    /** An empty ledger and its clock. */
    async open() {
      const clock = new FakeClock()
      const table = space.table(WfLedgerRow)
      await table.deleteMany({})
      return { clock, table, ledger: new AsWfLedger({ table, clock }) }
    },
  }
}
