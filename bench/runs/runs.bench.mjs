import { Unreachable } from '../tables/databases/unreachable.mjs'
import { onMariadb } from './on-mariadb.mjs'
import { onPostgres } from './on-postgres.mjs'
import { onSqlite } from './on-sqlite.mjs'
import { afterKill } from './recovery/after-kill.mjs'
import { starving } from './starving.mjs'

export const title =
  'Durable runs of 1 KB: A = five trivial steps, B1 = start to pause, B2 = answer to end; by hand = BEGIN, two prepared statements, COMMIT for each transition'

const PARTS = {
  SQLite: onSqlite,
  PostgreSQL: onPostgres,
  MariaDB: onMariadb,
  recovery: afterKill,
  starving,
}

export async function run({ part } = {}) {
  const rows = []
  const figures = []
  for (const [name, measure] of Object.entries(PARTS)) {
    if (part && part !== name) continue
    try {
      const measured = await measure()
      rows.push(...measured.rows)
      figures.push(...measured.figures)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      figures.push({ figure: `Durable runs, ${name}`, notMeasured: error.message })
    }
  }
  return { rows, figures }
}
