import { OpenWorkflow } from 'openworkflow'
import { BackendPostgres } from 'openworkflow/postgres'
import { newContext, STEPS } from '../workflows.mjs'

/** Runs of five steps by openworkflow, whose worker looks for them. */
export async function openworkflowRuns(url, concurrency) {
  const backend = await BackendPostgres.connect(url)
  const client = new OpenWorkflow({ backend })
  const five = client.defineWorkflow({ name: 'five' }, async ({ input, step }) => {
    let context = input
    for (let at = 0; at < STEPS; at++) {
      const former = context
      context = await step.run({ name: `step ${at}` }, async () => {
        return { ...former, tries: former.tries + 1 }
      })
    }
    return context.tries
  })
  const worker = client.newWorker({ concurrency })
  await worker.start()
  return {
    async run() {
      const handle = await five.run(newContext())
      if ((await handle.result()) !== 1 + STEPS) throw new Error('A run has failed.')
    },
    async close() {
      await worker.stop()
      await backend.stop()
    },
  }
}
