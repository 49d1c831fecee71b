import type { DbEngine } from '../db-engine'
import { fitsStatement, MOST_KEPT_ROWS } from '../operations/insert-rows'
import { shapeOfMoments } from '../row/sql-terms'
import { isInsert, type CommitPlan } from './commit-plan'

/** Whether all values of a commit, the gate's included, can travel in one statement. */
export function fitsOneStatement(engine: DbEngine, { gate, inserts }: CommitPlan): boolean {
  let { size, characters } = isInsert(gate) ? gate.row : gate.patch
  for (const { rows } of inserts) {
    for (const row of rows) {
      size += row.size
      characters += row.characters
    }
  }
  return fitsStatement(engine, size, characters)
}

/** Equal for commits whose SQL differs in nothing but the values. */
export function shapeOfInserts({ inserts }: CommitPlan): string {
  return inserts
    .map(({ schema, rows }) => `${schema.name} ${rows.length}${shapeOfMoments(rows)}`)
    .join()
}

/** A commit of many rows will hardly come again with as many. */
export const insertsMany = ({ inserts }: CommitPlan): boolean =>
  inserts.some(({ rows }) => rows.length > MOST_KEPT_ROWS)
