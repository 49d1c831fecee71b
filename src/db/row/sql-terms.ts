import { type RawBuilder, sql } from 'kysely'
import type { DbEngine } from '../db-engine'
import { DbMoment } from './db-moment'
import type { SqlRow } from './sql-row'
import type { SqlTerm, SqlValue } from './sql-value'

type NowEngine = Pick<DbEngine, 'now'>

/** A row as Kysely takes it. */
export function termsOf(engine: NowEngine, row: SqlRow): Record<string, unknown> {
  return Object.fromEntries([...row].map(([name, term]) => [name, termFor(engine, term)]))
}

/** What stands in the SQL for a value. */
export function termFor({ now }: NowEngine, term: SqlTerm): SqlValue | RawBuilder<number> {
  return term instanceof DbMoment ? sql<number>`(${sql.raw(now)} + ${term})` : term
}

/** The columns of a row. Equal for rows whose SQL is the same but for the values. */
export function shapeOfRow(row: SqlRow): string {
  return `${row.keys().join()} ${row.moments}`
}

/** The columns of whole rows that are moments; what else they have is the same for all. */
export function shapeOfMoments(rows: readonly SqlRow[]): string {
  if (rows.every(({ moments }) => moments === '')) return ''
  return ` now ${rows.map(({ moments }) => moments).join(';')}`
}

/** Values as a driver takes them. */
export function boundValues(
  { clock }: Pick<DbEngine, 'clock'>,
  terms: readonly SqlTerm[],
): readonly SqlValue[] {
  const hasMoments = terms.some(term => term instanceof DbMoment)
  if (!hasMoments) return terms as readonly SqlValue[]
  return terms.map(boundBy(clock))
}

/** How a value goes to a driver. The moments of one statement are by one time. */
export function boundBy(clock: DbEngine['clock']): (term: SqlTerm) => SqlValue {
  const now = clock ? Math.floor(clock.now()) : 0
  return term => (term instanceof DbMoment ? now + term.offsetMs : term)
}
