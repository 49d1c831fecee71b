import { type DbSpace, type DbTransaction } from '@atscript/moost-wf/db'
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { AsWfRunStore, type WfRunChange, type WfRunStore } from '@atscript/moost-wf/store'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OrderRow } from '../fixtures/schemas/order-rows.as'
import { WfEventRow, WfLinkRow, WfRunRow } from '../fixtures/schemas/wf-run-rows.as'
import { type CuttableProxy, cuttableProxy } from '../support/cuttable-proxy'
import { testEngines } from '../support/databases'
import { RunDatabase } from '../support/run-stores'

const OPEN: Readonly<Record<string, (url: string) => DbSpace>> = {
  PostgreSQL: url => openPostgres(url),
  MariaDB: url => openMysql(url),
}
const RUN = { flowId: 'f', schemaId: 'shop/order', startedAt: 1 }
const BEGIN: WfRunChange = {
  events: [{ type: 'workflow_created', to: 'active' }],
  state: { schemaId: RUN.schemaId, indexes: [0], context: {} },
  lease: { owner: 'me', ms: 60_000 },
}
const END = { events: [{ type: 'workflow_completed', to: 'completed' }] } as const
const UNAVAILABLE = { code: 'WF_DB_UNAVAILABLE' }

const servers = testEngines().filter(({ name }) => OPEN[name])

describe.each(servers)('a transaction of a run whose connection breaks, on $name', engine => {
  let database: RunDatabase
  let proxy: CuttableProxy
  let space: DbSpace
  let runs: WfRunStore

  beforeAll(async () => {
    database = await RunDatabase.create(engine)
    database.space.table(OrderRow)
    await database.space.sync()
  })
  beforeEach(async () => {
    await database.clear()
    await database.space.table(OrderRow).deleteMany({})
    const url = new URL(database.database.url)
    proxy = await cuttableProxy(new URL(url))
    url.port = String(proxy.port)
    space = OPEN[engine.name]!(url.href)
    runs = new AsWfRunStore({
      space,
      runs: space.table(WfRunRow),
      events: space.table(WfEventRow),
      links: space.table(WfLinkRow),
    })
  })
  afterEach(async () => {
    await space.close().catch(() => {})
    await proxy.close()
  })
  afterAll(() => database.drop())

  /** One in which all is written, and nothing is committed. */
  async function aboutToCommit() {
    const held = (await runs.begin(RUN, BEGIN))!
    const open = await runs.openTransaction!()
    const orders = (open.transaction as DbTransaction).table(OrderRow)
    await orders.insertOne({ id: 'o1', status: 'new', version: 1 })
    const written = (await open.runs.commit(held, END))!
    return { open, written }
  }
  const kept = async () => {
    const run = await database.store().find(RUN.flowId)
    return [run?.status, await database.space.table(OrderRow).count({ filter: {} })]
  }

  it('when the answer to its COMMIT is lost knows that all was kept', async () => {
    const { open, written } = await aboutToCommit()
    const lost = proxy.cutBeforeNextAnswer()
    await open.commit(written)
    await lost
    expect(await kept()).toEqual(['completed', 1])
  })

  it('before its COMMIT has kept nothing, and says so', async () => {
    const { open, written } = await aboutToCommit()
    await proxy.cut()
    await proxy.mend()
    await expect(open.commit(written)).rejects.toMatchObject(UNAVAILABLE)
    expect(await kept()).toEqual(['active', 0])
  })

  it('and cannot be looked for is not known to be kept', async () => {
    const { open, written } = await aboutToCommit()
    const lost = proxy.cutBeforeNextAnswer()
    void lost.then(() => proxy.cut())
    await expect(open.commit(written)).rejects.toMatchObject(UNAVAILABLE)
    expect(await kept()).toEqual(['completed', 1])
  })
})

it('a transaction that the database has undone at its COMMIT is not begun again, and has kept nothing', async () => {
  const space = openSqlite(':memory:')
  const tables = {
    runs: space.table(WfRunRow),
    events: space.table(WfEventRow),
    links: space.table(WfLinkRow),
  }
  await space.sync()
  const undone = new Error('deadlock')
  const runs = new AsWfRunStore({
    ...tables,
    space: {
      commit: change => space.commit(change as never),
      now: offsetMs => space.now(offsetMs),
      // As a cluster does it: the work is done, the COMMIT is refused, and the work is to be done again.
      transaction: async work => {
        const first = space.transaction(async transaction => {
          await work(transaction)
          throw undone
        })
        await expect(first).rejects.toBe(undone)
        return space.transaction(work)
      },
    },
  })
  const held = (await runs.begin(RUN, BEGIN))!
  const open = await runs.openTransaction()
  const written = (await open.runs.commit(held, END))!
  await expect(open.commit(written)).rejects.toMatchObject(UNAVAILABLE)
  expect(await runs.find(RUN.flowId)).toMatchObject({ status: 'active' })
  await space.close()
})
