import { deepStrictEqual } from 'node:assert'
import { inTurns, median } from '../measure/statistics.mjs'
import { mariadb } from './databases/mysql.mjs'
import { postgres } from './databases/postgres.mjs'
import { sqlite } from './databases/sqlite.mjs'
import { Unreachable } from './databases/unreachable.mjs'
import { newRow } from './state-row.mjs'

const ROUNDS = 31
const WARM_UP_ROUNDS = 10

export const title =
  'Tables: upsert + get + take of a 2 KB state, time against prepared statements by hand'

export async function run() {
  const rows = []
  const figures = []
  for (const database of [sqlite, postgres, mariadb]) {
    try {
      const measured = await measure(database)
      rows.push(...measured.rows)
      figures.push(...measured.figures)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      figures.push({ figure: `${database.name}, ours / raw`, notMeasured: error.message })
    }
  }
  return { rows, figures }
}

async function measure({ name, atMost, inFlight, roundMs, open }) {
  const { drop, ...contenders } = await open()
  try {
    await checkAlike(contenders)
    const measures = Object.fromEntries(
      Object.entries(contenders).map(([contender, of]) => [
        contender,
        () => cycles(of, inFlight, roundMs),
      ]),
    )
    await inTurns(WARM_UP_ROUNDS, measures)
    return report(name, atMost, await inTurns(ROUNDS, measures))
  } finally {
    for (const { close } of Object.values(contenders)) await close()
    await drop()
  }
}

/** All must write and read the same, each what another has written. */
async function checkAlike(contenders) {
  for (const writer of Object.values(contenders)) {
    for (const reader of Object.values(contenders)) {
      const row = newRow()
      await writer.upsert(row)
      await writer.upsert(row)
      const read = await reader.get(row.handle)
      deepStrictEqual({ ...read }, { ...row, id: read.id, version: 2 })
      deepStrictEqual(await reader.take(row.handle), read)
    }
  }
}

/** Keeps this many cycles going for a round. */
async function cycles({ upsert, get, take }, inFlight, roundMs) {
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  let count = 0
  const drive = async () => {
    while (performance.now() - start < roundMs) {
      const row = newRow()
      await upsert(row)
      const { version } = await get(row.handle)
      const { handle } = await take(row.handle)
      if (version !== row.version || handle !== row.handle) throw new Error('a wrong row came back')
      count++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, drive))
  const us = ((performance.now() - start) * 1000) / count
  const { user, system } = process.cpuUsage(cpuBefore)
  return { us, cpu: (user + system) / count }
}

function report(database, atMost, results) {
  const ratioOf = (contender, what) =>
    median(results[contender].map((round, i) => round[what] / results.raw[i][what]))
  const rows = ['raw', 'ours', 'stock Kysely'].map(contender => ({
    database,
    contender,
    us: Math.round(median(results[contender].map(({ us }) => us))),
    ratio: Number(ratioOf(contender, 'us').toFixed(2)),
    'CPU us': Math.round(median(results[contender].map(({ cpu }) => cpu))),
    'CPU ratio': Number(ratioOf(contender, 'cpu').toFixed(2)),
  }))
  const figures = [
    { figure: `${database}, ours / raw`, value: ratioOf('ours', 'us'), atMost },
    { figure: `${database}, stock Kysely / raw`, value: ratioOf('stock Kysely', 'us') },
  ]
  return { rows, figures }
}
