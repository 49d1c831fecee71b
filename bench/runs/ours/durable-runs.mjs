import { createHash } from 'node:crypto'
import { createWfRunner, createWfRuns, DurableStateStrategy } from '../../../dist/index.mjs'
import { AsWfRunStore } from '../../../dist/store/index.mjs'
import { benchWorkflows, newContext } from '../workflows.mjs'
import { answerOf, pausedAt } from './answers.mjs'
import { WfEventRow, WfLinkRow, WfRunRow } from './row-types.mjs'

/** One for all processes of the bench. */
const SECRET = createHash('sha256').update('bench').digest()

/** Our durable runs in a space, through what an application calls. */
export async function durableRuns(space, { worker = false, ...options } = {}) {
  const runs = new AsWfRunStore({
    space,
    runs: space.table(WfRunRow),
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
    begin: async () => pausedAt(await runner.start('bench/ask', { context: newContext() })),
    answer: async token => answerOf(await runner.resume(token, { input: { approved: true } })),
    async close() {
      await api.stop()
      await space.close()
    },
  }
}
