import { AsWfStore } from '../../dist/store/index.mjs'
import { inTurns, median } from '../measure/statistics.mjs'
import { postgres } from '../tables/databases/postgres.mjs'
import { mariadb } from '../tables/databases/mysql.mjs'
import { sqlite } from '../tables/databases/sqlite.mjs'
import { Unreachable } from '../tables/databases/unreachable.mjs'
import { newRow } from '../tables/state-row.mjs'
import { findFirstStore } from './find-first-store.mjs'

const ROUNDS = 31
const WARM_UP_ROUNDS = 10

export const title =
  'Store: set + getAndDelete of a 2 KB state, time against prepared statements by hand'

const LIMITS = [
  { database: sqlite, atMost: 1.6 },
  { database: postgres, atMost: 1.2 },
  { database: mariadb },
]

export async function run() {
  const rows = []
  const figures = []
  for (const { database, atMost } of LIMITS) {
    try {
      const measured = await measure(database, atMost)
      rows.push(...measured.rows)
      figures.push(...measured.figures)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      figures.push({ figure: `${database.name}, store / raw`, notMeasured: error.message })
    }
  }
  return { rows, figures }
}

async function measure({ name, inFlight, roundMs, open }, atMost) {
  const { ours, raw, drop, ...others } = await open()
  try {
    const stores = {
      raw: { set: (_, row) => raw.upsert(row), getAndDelete: handle => raw.take(handle) },
      store: storeOf(new AsWfStore({ table: ours.table })),
      'find first': storeOf(findFirstStore(ours.table)),
    }
    const measures = Object.fromEntries(
      Object.entries(stores).map(([store, of]) => [store, () => cycles(of, inFlight, roundMs)]),
    )
    await inTurns(WARM_UP_ROUNDS, measures)
    return report(name, atMost, await inTurns(ROUNDS, measures))
  } finally {
    for (const { close } of [ours, raw, ...Object.values(others)]) await close()
    await drop()
  }
}

/** The state that a row of the hand-written contender holds. */
function storeOf(store) {
  return {
    set: (handle, { schemaId, state, expiresAt }) =>
      store.set(handle, { schemaId, ...state }, expiresAt),
    getAndDelete: handle => store.getAndDelete(handle),
  }
}

async function cycles({ set, getAndDelete }, inFlight, roundMs) {
  const start = performance.now()
  let count = 0
  const drive = async () => {
    while (performance.now() - start < roundMs) {
      const row = newRow()
      await set(row.handle, row)
      if (!(await getAndDelete(row.handle))) throw new Error('a state was lost')
      count++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, drive))
  return ((performance.now() - start) * 1000) / count
}

function report(database, atMost, results) {
  const ratio = (one, other) => median(results[one].map((us, i) => us / results[other][i]))
  const rows = Object.keys(results).map(store => ({
    database,
    store,
    us: Math.round(median(results[store])),
    ratio: Number(ratio(store, 'raw').toFixed(2)),
  }))
  const figures = [
    { figure: `${database}, store / raw`, value: ratio('store', 'raw'), atMost },
    { figure: `${database}, find first / store`, value: ratio('find first', 'store') },
  ]
  return { rows, figures }
}
