import { randomUUID } from 'node:crypto'
import { inTurns, median } from '../measure/statistics.mjs'
import { mariadb } from './databases/mysql.mjs'
import { postgres } from './databases/postgres.mjs'
import { sqlite } from './databases/sqlite.mjs'
import { Unreachable } from './databases/unreachable.mjs'

const ROUNDS = 31
const WARM_UP_ROUNDS = 10
const ROUND_MS = 150

export const title =
  'Commits: a run of 1 KB moves on with an event, against BEGIN, two prepared statements, COMMIT by hand'

export async function run() {
  const rows = []
  const figures = []
  for (const database of [sqlite, postgres, mariadb]) {
    for (const inFlight of [1, 32]) {
      const name = `${database.name}, ${inFlight} in flight`
      try {
        const ratio = await measure(database, inFlight, rows)
        const atLeast = database.commitsAtLeast?.[inFlight]
        figures.push({ figure: `${name}, commits by hand / ours`, value: ratio, atLeast })
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
        figures.push({ figure: name, notMeasured: error.message })
      }
    }
  }
  return { rows, figures }
}

async function measure({ name, openCommits }, inFlight, rows) {
  const { drop, ...contenders } = await openCommits()
  try {
    const measures = {}
    for (const [contender, of] of Object.entries(contenders)) {
      const lanes = Array.from({ length: inFlight }, () => ({ id: randomUUID(), version: 1 }))
      for (const { id } of lanes) await contenders.ours.start(id)
      measures[contender] = () => transitions(of, lanes)
      of.lanes = lanes
    }
    await inTurns(WARM_UP_ROUNDS, measures)
    const results = await inTurns(ROUNDS, measures)
    await checkWhole(contenders)
    for (const contender of Object.keys(contenders)) {
      const us = Math.round(median(results[contender]))
      rows.push({ database: name, inFlight, contender, us })
    }
    return median(results.ours.map((us, round) => results['by hand'][round] / us))
  } finally {
    for (const { close } of Object.values(contenders)) await close()
    await drop()
  }
}

/** Takes each run from version to version for a round. @returns microseconds for one */
async function transitions({ advance }, lanes) {
  const start = performance.now()
  let count = 0
  const drive = async lane => {
    while (performance.now() - start < ROUND_MS) {
      if (!(await advance(lane.id, lane.version))) throw new Error('a transition was lost')
      lane.version++
      count++
    }
  }
  await Promise.all(lanes.map(drive))
  return ((performance.now() - start) * 1000) / count
}

/** Both have done the same. */
async function checkWhole(contenders) {
  const { versionOf, eventsOf } = contenders.ours
  for (const { id, version } of Object.values(contenders).flatMap(({ lanes }) => lanes)) {
    if ((await versionOf(id)) !== version || (await eventsOf(id)) !== version - 1) {
      throw new Error('a run and its history disagree')
    }
  }
}
