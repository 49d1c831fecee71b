import { load } from '../measure/http-load.mjs'
import { startServer } from '../measure/server-process.mjs'
import { inTurns, median } from '../measure/statistics.mjs'

const ROUNDS = 5
const ROUND_MS = 3000
const CONNECTIONS = 16

const input = { email: 'ada@example.com', password: 'correct horse battery staple', remember: true }
const bodyWith = wfs => JSON.stringify({ wfs, input })

export const title =
  'A resume over HTTP (memory store) against a bare wooks route that echoes the same JSON'

export async function run() {
  const workflow = await startServer(new URL('./workflow-server.mjs', import.meta.url))
  const echo = await startServer(new URL('./echo-server.mjs', import.meta.url))
  try {
    const resume = measured(workflow, {
      path: '/bench/wf',
      first: async () => JSON.stringify({ wfid: 'bench/ask' }),
      next: answer => bodyWith(tokenOf(answer)),
    })
    const bare = measured(echo, {
      path: '/echo',
      first: async () => bodyWith('default.00000000-0000-0000-0000-000000000000'),
      next: answer => bodyWith(tokenOf(answer)),
    })
    await resume()
    await bare()
    const results = await inTurns(ROUNDS, { bare, resume })
    return report(results)
  } finally {
    workflow.stop()
    echo.stop()
  }
}

function measured(server, options) {
  return async () => {
    const before = await server.cpuMicros()
    const perSecond = await load({
      port: server.port,
      connections: CONNECTIONS,
      ms: ROUND_MS,
      ...options,
    })
    const cpuPerRequest = ((await server.cpuMicros()) - before) / (perSecond * (ROUND_MS / 1000))
    return { perSecond, cpuPerRequest }
  }
}

function tokenOf(answer) {
  const start = answer.indexOf('"wfs":"') + 7
  return answer.slice(start, answer.indexOf('"', start))
}

function report({ bare, resume }) {
  const ratios = resume.map((round, i) => round.perSecond / bare[i].perSecond)
  const cpuRatios = resume.map((round, i) => bare[i].cpuPerRequest / round.cpuPerRequest)
  const row = (name, rounds) => ({
    contender: name,
    'requests/s': Math.round(median(rounds.map(round => round.perSecond))),
    'server CPU per request (us)': Math.round(median(rounds.map(round => round.cpuPerRequest))),
  })
  return {
    rows: [row('bare wooks echo', bare), row('resume', resume)],
    figures: [
      { figure: 'requests per second, resume / echo', value: median(ratios), atLeast: 0.5 },
      { figure: 'server CPU, echo / resume', value: median(cpuRatios) },
    ],
  }
}
