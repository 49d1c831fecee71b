import { createHash } from 'node:crypto'
import { setTimeout as rest } from 'node:timers/promises'
import { createWfRunner, createWfRuns, DurableStateStrategy } from '../../../dist/index.mjs'
import { AsWfRunStore } from '../../../dist/store/index.mjs'
import { benchWorkflows, newContext } from '../workflows.mjs'
import { answerOf, pausedAt } from './answers.mjs'
import { WfEventRow, WfLinkRow, WfRunRow } from './row-types.mjs'

/** One for all processes of the bench. */
const SECRET = createHash('sha256').update('bench').digest()

/** Our durable runs in a space, through what an application calls. */
export async function durableRuns(space, { worker = false, ...options } = {}) {
  const rows = space.table(WfRunRow)
  const runs = new AsWfRunStore({
    space,
    runs: rows,
    events: space.table(WfEventRow),
    links: space.table(WfLinkRow),
  })
  await space.sync()
  const { wf, logger } = await benchWorkflows()
  const durable = new DurableStateStrategy({ runs, secret: SECRET, ...options })
  const config = { state: { strategies: { durable }, default: 'durable' }, logger }
  const api = createWfRuns({ ...config, worker }, wf)
  const runner = createWfRunner(config, wf)
  return {
    api,
    async run() {
      const { flowId } = await api.start('bench/five', { context: newContext() })
      const { status } = await api.result(flowId)
      if (status !== 'completed') throw new Error(`A run is ${status}.`)
    },
    /** Up to its failure, behind which it is to be tried again. */
    async fail() {
      const { flowId } = await api.start('bench/retry', { context: newContext() })
      while ((await api.get(flowId)).status !== 'error') await rest(1)
    },
    /** Does what is due until it is stopped. */
    work() {
      const worker = createWfRuns(config, wf)
      return () => worker.stop()
    },
    countFailed: () => rows.count({ filter: { status: 'error' } }),
    begin: async () => pausedAt(await runner.start('bench/ask', { context: newContext() })),
    answer: async token => answerOf(await runner.resume(token, { input: { approved: true } })),
    async close() {
      await api.stop()
      await space.close()
    },
  }
}
