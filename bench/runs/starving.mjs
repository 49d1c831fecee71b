import { setTimeout as rest } from 'node:timers/promises'
import { openPostgres } from '../../dist/db/postgres/index.mjs'
import { createDatabase } from '../tables/databases/postgres.mjs'
import { durableRuns } from './ours/durable-runs.mjs'

const DUE = Number(process.env.WF_BENCH_DUE ?? 10_000)
const IN_FLIGHT = 32
const ROUNDS = 5
const ANSWERS = 200
/** Between two answers: people think. */
const REST_MS = 5
const P99 = 0.99

/** How long an answer takes while its own process has a mass of retries to do, against one that is idle. */
export async function starving() {
  const { url, drop } = await createDatabase('_starving')
  // One failure each: whatever comes next is due at once.
  const retry = { attempts: 2, backoff: 'fixed', baseMs: 1 }
  const ours = await durableRuns(openPostgres(url), { retry })
  const waits = { idle: [], busy: [] }
  try {
    await inLanes(DUE, () => ours.fail())
    await measure(ours)
    for (let round = 0; round < ROUNDS; round++) {
      waits.idle.push(...(await measure(ours)))
      const stop = ours.work()
      waits.busy.push(...(await measure(ours)))
      await stop()
    }
    const left = await ours.countFailed()
    const rows = [shown('idle', waits.idle), { ...shown(`${DUE} due`, waits.busy), left }]
    const figure = `PostgreSQL, p99 of an answer while ${DUE} retries are due / idle`
    // Nothing starves behind a mass that is done.
    if (left === 0) return { rows, figures: [{ figure, notMeasured: 'all were done too early' }] }
    const value = quantile(waits.busy, P99) / quantile(waits.idle, P99)
    return { rows, figures: [{ figure, value, atMost: 3 }] }
  } finally {
    await ours.close()
    await drop()
  }
}

/** In microseconds. */
async function measure(ours) {
  const times = []
  for (let answer = 0; answer < ANSWERS; answer++) {
    const token = await ours.begin()
    await rest(REST_MS)
    const began = performance.now()
    await ours.answer(token)
    times.push((performance.now() - began) * 1000)
  }
  return times
}

async function inLanes(count, work) {
  let left = count
  const lane = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
}

const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]

const shown = (contender, times) => ({
  database: 'PostgreSQL',
  inFlight: 1,
  what: 'answer',
  contender,
  us: Math.round(quantile(times, 0.5)),
  p99: Math.round(quantile(times, P99)),
})
