import { expect, it } from 'vitest'
import { endExpiredRuns } from '../../example-app/src/database/run-housekeeping'
import { WfEventRow, WfLinkRow, WfRunRow } from '../fixtures/schemas/wf-run-rows.as'
import { AsWfRunStore } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { onTestFinished } from 'vitest'
import { sqliteDatabase } from '../support/databases'
import { openDurableApp, startOrder } from '../support/durable-app'

const DAY = 24 * 60 * 60_000

it('ends runs a week after their links have expired, and no others', async () => {
  const database = await sqliteDatabase()
  const space = database.open()
  onTestFinished(async () => {
    await space.close()
    await database.drop()
  })
  const clock = new FakeClock()
  const tables = {
    runs: space.table(WfRunRow),
    events: space.table(WfEventRow),
    links: space.table(WfLinkRow),
  }
  const store = new AsWfRunStore({ space, ...tables, clock })
  await space.sync()
  const app = await openDurableApp({ runs: store, clock }, { strategy: { defaultTtl: 3 * DAY } })
  const statusOf = async (flowId: string) => (await app.api.get(flowId))?.status
  const { flowId: old } = await startOrder(app)
  const { flowId: extended } = await startOrder(app)
  const { flowId: answered, token } = await startOrder(app)
  await app.runner.resume(token, { input: { name: 'Ada' } })
  await app.api.extend(extended, { ttlMs: 300 * DAY })
  clock.advance(10 * DAY - 1)
  expect(await endExpiredRuns(app.api, clock.now())).toBe(0)
  clock.advance(1)
  const { flowId: fresh } = await startOrder(app)
  expect(await endExpiredRuns(app.api, clock.now())).toBe(1)
  expect(await Promise.all([old, extended, answered, fresh].map(statusOf))).toEqual([
    'cancelled',
    'paused',
    'completed',
    'paused',
  ])
  expect((await app.api.history(old)).at(-1)).toMatchObject({
    type: 'cancelled',
    actor: 'housekeeping',
    detail: { reason: 'expired' },
  })
})
