import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { openSqlite } from '../../dist/db/sqlite/index.mjs'
import { createTablesByHand } from './on-postgres.mjs'
import { durableRuns } from './ours/durable-runs.mjs'
import { xstateRuns } from './peers/xstate.mjs'
import { sqliteByHand } from './raw/sqlite.mjs'
import { measureRuns, shown, speed } from './rounds.mjs'

const PRAGMAS = 'pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 20'

export async function onSqlite() {
  const rows = []
  const figures = []
  const folder = await mkdtemp(join(tmpdir(), 'bench-runs-'))
  const file = join(folder, 'runs.db')
  const connect = () => {
    const database = new DatabaseSync(file)
    database.exec(PRAGMAS)
    return database
  }
  const open = () => openSqlite(connect())
  await createTablesByHand(open)
  const ours = await durableRuns(open())
  const raw = sqliteByHand(connect())
  const xstate = xstateRuns(connect())
  try {
    for (const [load, atLeast] of [
      [
        { inFlight: 1, perRound: 20 },
        { raw: 0.8, xstate: 1 },
      ],
      [{ inFlight: 32, perRound: 96 }, { raw: 0.8 }],
    ]) {
      const { inFlight } = load
      const results = await measureRuns({ ours, 'by hand': raw, XState: xstate }, load)
      rows.push(...shown(results, { database: 'SQLite', inFlight, what: 'A' }))
      const name = `SQLite with synchronous FULL, A, ${inFlight} in flight`
      figures.push(
        {
          figure: `${name}, by hand / ours`,
          value: speed(results, 'by hand'),
          atLeast: atLeast.raw,
        },
        {
          figure: `${name}, a snapshot of XState / ours`,
          value: speed(results, 'XState'),
          atLeast: atLeast.xstate,
        },
      )
    }
  } finally {
    for (const { close } of [ours, raw, xstate]) await close()
    await rm(folder, { recursive: true })
  }
  return { rows, figures }
}
