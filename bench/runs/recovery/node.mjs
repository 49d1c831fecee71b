// A process of its own, that starts runs which hang, or waits for what others leave behind.
import { openPostgres } from '../../../dist/db/postgres/index.mjs'
import { durableRuns } from '../ours/durable-runs.mjs'
import { newContext } from '../workflows.mjs'

const [, , url, leaseMs, starts] = process.argv
const worker = { everyMs: 1000, concurrency: 10 }
const { api } = await durableRuns(openPostgres(url), { worker, leaseMs: Number(leaseMs) })
const flowIds = []
for (let run = 0; run < Number(starts); run++) {
  const { flowId } = await api.start('bench/hang', { context: newContext() })
  flowIds.push(flowId)
}
for (const flowId of flowIds) {
  while ((await api.get(flowId)).stepId === undefined) await undefined
}
process.send({ flowIds })
process.once('disconnect', () => process.exit())
// What hangs keeps no process alive.
setInterval(() => {}, 1000)
