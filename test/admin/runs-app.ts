import { randomBytes } from 'node:crypto'
import {
  createWfRunner,
  createWfRuns,
  DurableStateStrategy,
  MoostWf,
  outletEmail,
  Step,
  Workflow,
  WorkflowParam,
  WorkflowSchema,
  type WfRuns,
} from '@atscript/moost-wf'
import { createWfAdminController, type WfAdminOptions } from '@atscript/moost-wf/admin'
import { useHeaders } from '@atscript/moost-wf/http'
import { AsWfRunStore, AsWfStore } from '@atscript/moost-wf/store'
import { Controller } from 'moost'
import { expect, onTestFinished, vi } from 'vitest'
import { ExpenseStateRow } from '../fixtures/schemas/expense-state-row.as'
import { WfEventRow, WfLinkRow, WfRunRow } from '../fixtures/schemas/wf-run-rows.as'
import { sqliteDatabase, type TestDatabase } from '../support/databases'
import { startApp } from '../support/moost-app'
import { request } from '../support/shop'

interface Ship {
  order?: number
  password?: string
  link?: string
  isBroken?: boolean
}

/** An application with durable runs, and the admin API. */
export async function openRuns(
  admin: Partial<WfAdminOptions> = {},
  open: () => Promise<TestDatabase> = sqliteDatabase,
) {
  const database = await open()
  const space = database.open()
  const [states, runs] = [space.table(ExpenseStateRow), space.table(WfRunRow)]
  const [events, links] = [space.table(WfEventRow), space.table(WfLinkRow)]
  await space.sync()
  const strategy = new DurableStateStrategy({
    defaultTtl: 600_000,
    runs: new AsWfRunStore({ space, runs, events, links }),
    secret: randomBytes(32),
  })
  const tokens: string[] = []
  const world = { isBroken: false }

  @Controller('orders')
  class Orders {
    @Workflow('ship')
    @WorkflowSchema<Ship>(['pack', 'sign', 'done'])
    ship() {}

    @Step('pack')
    pack(@WorkflowParam('context') ctx: Ship) {
      ctx.password = 'hunter2-is-the-secret'
    }

    @Step('sign')
    sign(@WorkflowParam('context') ctx: Ship, @WorkflowParam('input') input?: object) {
      if (world.isBroken) throw new Error('no more stamps: hunter2-is-the-secret')
      if (!input) return outletEmail('ada@example.com', 'sign')
      ctx.order = 8
    }

    @Step('done')
    done() {}
  }

  const made: { runs?: WfRuns } = {}
  const described: { wf?: MoostWf } = {}
  const Admin = createWfAdminController({
    store: new AsWfStore({ table: states }),
    wf: { describe: id => described.wf?.describe(id) },
    guard: () => useHeaders().authorization === 'Bearer admin',
    actor: () => 'admin@example.com',
    runs: () => made.runs!,
    ...admin,
  })
  const { url, wf, http } = await startApp([Orders, Admin])
  described.wf = wf
  const email = {
    name: 'email',
    tokenDelivery: 'out-of-band',
    deliver: (_request: unknown, token: string) => {
      tokens.push(token)
      return {}
    },
  } as const
  const config = { state: { strategies: { durable: strategy }, default: 'durable' } } as const
  const runner = createWfRunner({ ...config, outlets: [email] }, wf)
  const api = createWfRuns({ ...config, outlets: [email], worker: false }, wf)
  made.runs = api
  onTestFinished(async () => {
    await api.stop()
    await space.close()
    await database.drop()
  })
  const ask = (method: string, path: string, body: object = {}, authorization = 'Bearer admin') =>
    request(url, body, { method, path: `/api/admin/${path}`, headers: { authorization } })
  return {
    api,
    url,
    http,
    rows: runs,
    states,
    database,
    space,
    tokens,
    world,
    get: (path: string) => ask('GET', path),
    post: (path: string, body: object) => ask('POST', path, body),
    ask,
    resume: (token: string) => runner.resume(token, { input: {} }),
    /** A run that waits for a signature. */
    async paused(context: object = { order: 7 }) {
      const { flowId } = await api.start('orders/ship', { context, correlationId: 'o-7' })
      await vi.waitFor(async () => expect((await api.get(flowId))?.status).toBe('paused'))
      return flowId
    },
  }
}
