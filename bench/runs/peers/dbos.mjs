import { DBOS } from '@dbos-inc/dbos-sdk'
import { newContext, STEPS } from '../workflows.mjs'

const TOPIC = 'answer'

/** The same runs by DBOS, in a database of its own. One per process. */
export async function dbosRuns(url, connections) {
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: url,
    systemDatabasePoolSize: connections,
    logLevel: 'error',
    runAdminServer: false,
  })
  const step = async context => ({ ...context, tries: context.tries + 1 })
  const five = DBOS.registerWorkflow(
    async context => {
      let next = context
      for (let at = 0; at < STEPS; at++)
        next = await DBOS.runStep(() => step(next), { name: 'step' })
      return next.tries
    },
    { name: 'five' },
  )
  const ask = DBOS.registerWorkflow(
    async context => {
      const input = await DBOS.recv(TOPIC, 600)
      return { approved: input.approved && context.tries > 0 }
    },
    { name: 'ask' },
  )
  await DBOS.launch()
  return {
    async run() {
      const handle = await DBOS.startWorkflow(five)(newContext())
      if ((await handle.getResult()) !== 1 + STEPS) throw new Error('A run of DBOS has failed.')
    },
    begin: () => DBOS.startWorkflow(ask)(newContext()),
    async answer(handle) {
      await DBOS.send(handle.workflowID, { approved: true }, TOPIC)
      const { approved } = await handle.getResult()
      if (!approved) throw new Error('An answer to DBOS was lost.')
    },
    close: () => DBOS.shutdown(),
  }
}
