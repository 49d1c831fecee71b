import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openPostgres } from '../../../dist/db/postgres/index.mjs'
import { median } from '../../measure/statistics.mjs'
import { createDatabase } from '../../tables/databases/postgres.mjs'
import { durableRuns } from '../ours/durable-runs.mjs'

const LEASE_MS = 2000
const RUNS = 30
const ROUNDS = 5
const NODE = new URL('node.mjs', import.meta.url)

/** For how long runs stand still whose process is killed in a step, while another is there. */
export async function afterKill() {
  const { url, drop } = await createDatabase('_recovery')
  const space = openPostgres(url)
  const { api, close } = await durableRuns(space)
  const nodes = []
  const start = async starts => {
    const node = fork(NODE, [url, LEASE_MS, starts])
    nodes.push(node)
    const ended = once(node, 'exit').then(([code]) => {
      throw new Error(`A process of the bench has ended with ${code}.`)
    })
    // It is killed later, when nobody waits for this any more.
    ended.catch(() => {})
    const [{ flowIds }] = await Promise.race([once(node, 'message'), ended])
    return { node, flowIds }
  }
  try {
    await start(0)
    const seconds = []
    for (let round = 0; round < ROUNDS; round++) {
      const { node, flowIds } = await start(RUNS)
      node.kill('SIGKILL')
      const killed = performance.now()
      await allEnded(api, flowIds)
      seconds.push((performance.now() - killed) / 1000)
    }
    const value = median(seconds) - LEASE_MS / 1000
    const figure = `PostgreSQL, ${RUNS} runs after kill -9 with a standby: seconds beyond the lease`
    const rows = [
      { database: 'PostgreSQL', what: 'kill -9', us: Math.round(median(seconds) * 1e6) },
    ]
    return { rows, figures: [{ figure, value, atMost: 1 }] }
  } finally {
    for (const node of nodes) node.kill('SIGKILL')
    await close()
    await drop()
  }
}

async function allEnded(api, flowIds) {
  for (;;) {
    const runs = await api.getMany(flowIds)
    if (runs.every(({ status }) => status === 'completed')) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
