import { createWfRunner, HandleStateStrategy } from '../../../dist/index.mjs'
import { AsWfStore } from '../../../dist/store/index.mjs'
import { StateRow } from '../../tables/state-row.mjs'
import { benchWorkflows, newContext } from '../workflows.mjs'
import { answerOf, pausedAt } from './answers.mjs'

/** The same workflow behind handles: no history, no lease, and a crash in a step takes the flow along. */
export async function handleFlows(space) {
  const table = space.table(StateRow)
  await space.sync()
  const { wf, logger } = await benchWorkflows()
  const state = new HandleStateStrategy({ store: new AsWfStore({ table }) })
  const runner = createWfRunner({ state, logger }, wf)
  return {
    begin: async () => pausedAt(await runner.start('bench/ask', { context: newContext() })),
    answer: async token => answerOf(await runner.resume(token, { input: { approved: true } })),
    close: () => space.close(),
  }
}
