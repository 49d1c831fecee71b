import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CarryOutCommit } from '../commit/carry-out-commit'
import {
  COMMIT_ID,
  type CommitPlan,
  equals,
  isInsert,
  type PlannedChange,
} from '../commit/commit-plan'
import { insertGate, updateGate } from '../commit/commit-steps'
import type { BoundStatement, DbEngine, SqlResult } from '../db-engine'
import type { Condition } from '../filter/condition'
import { toSql, valuesOf } from '../filter/to-sql'
import { splitRows } from '../operations/insert-rows'
import { statementWhere } from '../operations/table-access'
import { shapeOfMoments, shapeOfRow, termFor, termsOf } from '../row/sql-terms'
import type { SqlRow } from '../row/sql-row'
import type { TableSchema } from '../schema/table-schema'
import type { Statement } from '../session/db-session'
import { toWfError } from '../session/driver-error'
import { messageOf } from './d1-failure'

type Batch = (statements: readonly BoundStatement[]) => Promise<readonly SqlResult[]>

// oxlint-disable-next-line typescript/no-explicit-any -- tables are known at run time only
type AnyDb = Kysely<any>

/**
 * Carries out a commit as one batch. A write under a condition that does not hold is no error, so the
 * statements behind it are under a condition too: that its row keeps the id of this commit.
 */
export const commitInBatch =
  (batch: Batch): CarryOutCommit =>
  async (session, plan) => {
    const { engine } = session
    const along = [...changesOf(engine, plan), ...insertsOf(engine, plan)]
    const gate = gateStatement(engine, plan)
    // Behind a commit that was carried out before, the condition of the others would hold again.
    const statements =
      along.length === 0 ? [gate] : [refuseRepetition(engine, plan), gate, ...along]
    try {
      const results = await batch(statements.map(statement => session.bind(statement)))
      const { affected, rows } = results[along.length === 0 ? 0 : 1]!
      return affected === 0 ? null : (rows[0] ?? {})
    } catch (error) {
      if (isRepetition(error)) return null
      throw toWfError(engine, error)
    }
  }

const gateStatement = (engine: DbEngine, { gate, returning }: CommitPlan): Statement =>
  isInsert(gate)
    ? insertGate(engine, gate, returning).statement
    : updateGate(engine, gate, returning)

/** The row of the gate, once this commit has written it. */
const writtenRow = ({ gate, commitId }: CommitPlan): Condition => ({
  all: [gate.key, equals(COMMIT_ID, commitId)],
})

/** What ends a batch: no text that begins so is JSON. */
const NO_JSON = 'carried out: '

function refuseRepetition(engine: DbEngine, plan: CommitPlan): Statement {
  const { schema } = plan.gate
  const where = writtenRow(plan)
  return statementWhere(schema, 'refuse repetition', where, [], db =>
    db
      .selectFrom(schema.name)
      // Of a column, because SQLite works out a constant before it looks for the row.
      .select(sql`json(${sql.lit(NO_JSON)} || ${sql.ref(COMMIT_ID)})`.as('refused'))
      .where(toSql(where, engine)),
  )
}

const isRepetition = (error: unknown): boolean => /malformed JSON/u.test(messageOf(error))

const isHeld = (db: AnyDb, engine: DbEngine, plan: CommitPlan): RawBuilder<boolean> => {
  const written = db
    .selectFrom(plan.gate.schema.name)
    .select(sql.lit(1).as('done'))
    .where(toSql(writtenRow(plan), engine))
  return sql<boolean>`exists ${written}`
}

const changesOf = (engine: DbEngine, plan: CommitPlan): Statement[] =>
  plan.changes.map(change => changeIfHeld(engine, plan, change))

function changeIfHeld(
  engine: DbEngine,
  plan: CommitPlan,
  { schema, where, patch }: PlannedChange,
): Statement {
  const written = writtenRow(plan)
  const name = `${patch ? `update ${shapeOfRow(patch)}` : 'delete'} if ${plan.gate.schema.name}`
  // The values of both conditions, in their order; the text is that of the two.
  const both = { all: [where, written] }
  return statementWhere(schema, name, both, patch?.values() ?? [], db => {
    const held = isHeld(db, engine, plan)
    const matching = toSql(where, engine)
    if (!patch) return db.deleteFrom(schema.name).where(matching).where(held)
    return db.updateTable(schema.name).set(termsOf(engine, patch)).where(matching).where(held)
  })
}

function insertsOf(engine: DbEngine, plan: CommitPlan): Statement[] {
  const maxParameters = engine.maxParameters - valuesOf(writtenRow(plan)).length
  return plan.inserts.flatMap(({ schema, rows }) =>
    splitRows({ maxParameters }, rows).map(chunk => insertIfHeld(engine, plan, schema, chunk)),
  )
}

function insertIfHeld(
  engine: DbEngine,
  plan: CommitPlan,
  schema: TableSchema,
  rows: readonly SqlRow[],
): Statement {
  const written = writtenRow(plan)
  const name = `insert ${rows.length}${shapeOfMoments(rows)} if ${plan.gate.schema.name}`
  const values = rows.flatMap(row => [...row.values()])
  return statementWhere(schema, name, written, values, db => {
    const lists = rows.map(row => sql`(${sql.join(row.values().map(v => termFor(engine, v)))})`)
    return db
      .insertInto(schema.name)
      .columns([...schema.columns.keys()])
      .expression(sql`select * from (values ${sql.join(lists)}) where ${isHeld(db, engine, plan)}`)
  })
}
