import { WfError } from '../../errors'
import type { AnyKysely, DbEngine, SqlResult } from '../db-engine'
import { toSql } from '../filter/to-sql'
import { insertion, splitRows } from '../operations/insert-rows'
import { statementWhere } from '../operations/table-access'
import { shapeOfMoments, termsOf } from '../row/sql-terms'
import { deleteStatement, updateStatement } from '../operations/update-rows'
import type { Statement } from '../session/db-session'
import {
  COMMIT_ID,
  type CommitPlan,
  equals,
  type GateInsert,
  type GateUpdate,
  isInsert,
  type PlannedChange,
} from './commit-plan'

/** A row of a driver, with the columns that were asked for. */
export type RawRow = Readonly<Record<string, unknown>>

/** One statement of a commit. */
export interface CommitStep {
  readonly statement: Statement
  /** It may find a unique value taken; the next step is told by `null`. */
  readonly mayConflict?: boolean | undefined
}

/**
 * A commit, statement by statement, for whoever runs them within a transaction and hands back each
 * result. What changes rows goes before what inserts them, so that it never finds them.
 *
 * @returns the row, or `null` if the condition did not hold
 */
export function* commitSteps(
  engine: DbEngine,
  plan: CommitPlan,
): Generator<CommitStep, RawRow | null, SqlResult | null> {
  const row = yield* passGate(engine, plan)
  if (!row) return null
  for (const change of plan.changes) yield { statement: changeStatement(engine, change) }
  for (const { schema, rows } of plan.inserts) {
    for (const chunk of splitRows(engine, rows))
      yield { statement: insertion(engine, schema, chunk) }
  }
  return row
}

export function changeStatement(
  engine: DbEngine,
  { schema, where, patch }: PlannedChange,
): Statement {
  return patch
    ? updateStatement(engine, schema, where, patch)
    : deleteStatement(engine, schema, where)
}

function* passGate(
  engine: DbEngine,
  plan: CommitPlan,
): Generator<CommitStep, RawRow | null, SqlResult | null> {
  const { gate, returning } = plan
  const returned = engine.updateReturning ? returning : []
  const result = yield isInsert(gate)
    ? insertGate(engine, gate, returned)
    : { statement: updateGate(engine, gate, returned) }
  if (!result || result.affected === 0) return null
  if (returned.length === returning.length) return result.rows[0] ?? {}
  const reread = yield { statement: rereadStatement(engine, plan) }
  const [row] = reread?.rows ?? []
  // Nothing of it may stay: whoever asked would be told that the condition did not hold.
  if (!row) throw new WfError('WF_DB_FAILED', 'A row is not there that a commit has just written.')
  return row
}

export function updateGate(
  engine: DbEngine,
  { schema, where, patch }: GateUpdate,
  returning: readonly string[],
): Statement {
  return updateStatement(engine, schema, where, patch, returning)
}

export function insertGate(
  engine: DbEngine,
  { schema, row }: GateInsert,
  returning: readonly string[],
): CommitStep {
  if (engine.upsert === 'on duplicate key') {
    return { statement: insertion(engine, schema, [row]), mayConflict: true }
  }
  const build = (db: AnyKysely) => {
    const insert = db.insertInto(schema.name).values(termsOf(engine, row))
    const unlessTaken = insert.onConflict(on => on.doNothing())
    return returning.length === 0 ? unlessTaken : unlessTaken.returning([...returning])
  }
  const shape = `${schema.name} insert unless taken ${returning.join()}${shapeOfMoments([row])}`
  return { statement: { shape, values: [...row.values()], build } }
}

/** What reads the row as it is after the write. */
export function rereadStatement(
  engine: DbEngine,
  { gate: { schema, key: named }, returning, commitId }: CommitPlan,
): Statement {
  // Null is no unique value: of several rows that have it, this one was written by this commit.
  const key = { all: [named, equals(COMMIT_ID, commitId)] }
  return statementWhere(schema, `reread ${returning.join()}`, key, [], db =>
    db
      .selectFrom(schema.name)
      .select(returning.length === 0 ? [...schema.primaryKey] : [...returning])
      .where(toSql(key, engine)),
  )
}
