import { load } from '../measure/http-load.mjs'
import { startServer } from '../measure/server-process.mjs'
import { inTurns, median } from '../measure/statistics.mjs'

// Many short rounds: what else the machine does then hits single rounds, which the median drops.
const ROUNDS = 41
const WARM_UP_ROUNDS = 8
const ROUND_MS = 250
const CONNECTIONS = 16
const ECHO = 'bare wooks echo'

const input = { email: 'ada@example.com', password: 'correct horse battery staple', remember: true }
const bodyWith = wfs => JSON.stringify({ wfs, input })

const echoing = path => ({
  path,
  first: bodyWith('default.00000000-0000-0000-0000-000000000000'),
  next: answer => bodyWith(tokenOf(answer)),
})
const resuming = {
  path: '/bench/wf',
  first: JSON.stringify({ wfid: 'bench/ask' }),
  next: answer => bodyWith(tokenOf(answer)),
}

const contenders = {
  [ECHO]: { server: 'wooks-echo', traffic: echoing('/echo') },
  'Moost, body echo': { server: 'moost-echo', traffic: echoing('/bench/wf') },
  'MoostWf.resume and a Map, no trigger': { server: 'no-trigger', traffic: resuming },
  'resume, handle in memory': { server: 'trigger', of: 'memory', traffic: resuming, atMost: 1.6 },
  'resume, encapsulated token': { server: 'trigger', of: 'token', traffic: resuming, atMost: 1.95 },
  'resume, handle on SQLite': { server: 'trigger', of: 'sqlite', traffic: resuming, atMost: 2.3 },
}

export const title =
  'A resume over HTTP: CPU of the server against a bare wooks route that echoes the same JSON'

export async function run({ profiles } = {}) {
  const servers = {}
  try {
    for (const [name, { server, of }] of Object.entries(contenders)) {
      const url = new URL(`./servers/${server}.mjs`, import.meta.url)
      servers[name] = await startServer(url, of ? [of] : [], profiles)
    }
    const measures = Object.fromEntries(
      Object.entries(contenders).map(([name, { traffic }]) => [
        name,
        () => measure(servers[name], traffic),
      ]),
    )
    await inTurns(WARM_UP_ROUNDS, measures)
    return report(await inTurns(ROUNDS, measures))
  } finally {
    for (const server of Object.values(servers)) await server.stop()
  }
}

async function measure(server, traffic) {
  const before = await server.cpuMicros()
  const { count, seconds } = await load({
    port: server.port,
    connections: CONNECTIONS,
    ms: ROUND_MS,
    ...traffic,
  })
  return { cpu: ((await server.cpuMicros()) - before) / count, perSecond: count / seconds }
}

function tokenOf(answer) {
  const start = answer.indexOf('"wfs":"') + 7
  return answer.slice(start, answer.indexOf('"', start))
}

function report(results) {
  const ratios = (name, of) => results[name].map((round, i) => of(round) / of(results[ECHO][i]))
  const cpu = name => ratios(name, round => round.cpu)
  return {
    rows: Object.entries(results).map(([contender, rounds]) => ({
      contender,
      'requests/s': Math.round(median(rounds.map(round => round.perSecond))),
      'requests/s, X / echo': rounded(median(ratios(contender, round => round.perSecond))),
      'CPU us': Math.round(median(rounds.map(round => round.cpu))),
      'CPU, X / echo': rounded(median(cpu(contender))),
      'half of the rounds': quartiles(cpu(contender)).map(rounded).join(' to '),
    })),
    figures: Object.entries(contenders)
      .filter(([name]) => name !== ECHO)
      .map(([name, { atMost }]) => ({
        figure: `CPU, ${name} / echo`,
        value: median(cpu(name)),
        atMost,
      })),
  }
}

function quartiles(values) {
  const sorted = values.toSorted((one, other) => one - other)
  return [0.25, 0.75].map(part => sorted[Math.floor(part * sorted.length)])
}

const rounded = value => Number(value.toFixed(2))
