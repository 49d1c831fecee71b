import { type QueryCreator, type RawBuilder, sql } from 'kysely'
import { type CarryOutCommit, commitInTransaction } from '../commit/carry-out-commit'
import {
  type CommitPlan,
  isInsert,
  type PlannedChange,
  type PlannedInsert,
} from '../commit/commit-plan'
import { fitsOneStatement, insertsMany, shapeOfInserts } from '../commit/fits-one-statement'
import type { DbEngine } from '../db-engine'
import { hasLists, shapeOf, toSql, valuesOf } from '../filter/to-sql'
import { shapeOfMoments, shapeOfRow, termFor, termsOf } from '../row/sql-terms'
import type { SqlTerm } from '../row/sql-value'
import type { Statement } from '../session/db-session'
import { VALUE_TYPES } from './column-types'

// oxlint-disable-next-line typescript/no-explicit-any -- tables are known at run time only
type AnyCreator = QueryCreator<any>

/** No table is named like these, which have a space. */
const GATE = 'the gate'
const NEW_ROWS = 'new rows'
const changeName = (at: number) => `change ${at}`

/**
 * Carries out a commit in one statement and so in one round trip, wherever that is the same as a
 * transaction.
 */
export const commitInOneStatement: CarryOutCommit = async (session, plan) => {
  const { engine } = session
  // All parts of a statement see the rows as they were when it began. If it has waited for another
  // writer of the row since, what that one has inserted would not be found by its deletes.
  const isSame = plan.gate.isPinned || plan.changes.length === 0
  if (!isSame || !fitsOneStatement(engine, plan)) return commitInTransaction(session, plan)
  const { rows, affected } = await session.run(commitStatement(engine, plan))
  return givesRow(plan) ? (rows[0] ?? null) : affected > 0 ? NOTHING : null
}

const NOTHING = Object.freeze({})

/** Where columns were asked for, or nothing is written last whose number tells. */
const givesRow = ({ returning, changes, inserts }: CommitPlan): boolean =>
  returning.length > 0 || (changes.length > 0 && inserts.length === 0)

function commitStatement(engine: DbEngine, plan: CommitPlan): Statement {
  const { changes, inserts, returning } = plan
  return {
    shape: `commit ${shapeOfGate(plan)} with ${changes.map(shapeOfChange).join()} and ${shapeOfInserts(plan)}`,
    isOneOff: insertsMany(plan) || conditionsOf(plan).some(hasLists),
    values: valuesOfPlan(plan),
    build: db => {
      const gate = (inner: AnyCreator) => gateQuery(inner, engine, plan)
      const isAlone = changes.length === 0 && inserts.length === 0
      if (isAlone) return returning.length > 0 ? gate(db) : gateQuery(db, engine, plan, false)
      let creator: AnyCreator = db.with(GATE, gate)
      for (const [at, change] of changes.entries()) {
        creator = creator.with(changeName(at), inner => changeQuery(inner, engine, change))
      }
      const asksForRow = givesRow(plan)
      for (const [at, insert] of inserts.entries()) {
        const query = (inner: AnyCreator) => insertQuery(inner, engine, insert, changes.length)
        if (!asksForRow && at === inserts.length - 1) return query(creator)
        creator = creator.with(`insert ${at}`, query)
      }
      return creator.selectFrom(GATE).selectAll()
    },
  }
}

const conditionsOf = ({ gate, changes }: CommitPlan) => [
  ...(isInsert(gate) ? [] : [gate.where]),
  ...changes.map(({ where }) => where),
]

function shapeOfGate({ gate, returning }: CommitPlan): string {
  const { name } = gate.schema
  if (isInsert(gate)) {
    return `insert ${name} ${returning.join()}${shapeOfMoments([gate.row])}`
  }
  return `update ${name} ${shapeOfRow(gate.patch)} ${shapeOf(gate.where)} ${returning.join()}`
}

const shapeOfChange = ({ schema, where, patch }: PlannedChange): string =>
  `${patch ? `update ${shapeOfRow(patch)}` : 'delete'} ${schema.name} ${shapeOf(where)}`

/** In the order of the statement's parts. */
function valuesOfPlan({ gate, changes, inserts }: CommitPlan): SqlTerm[] {
  const values: SqlTerm[] = isInsert(gate) ? [...gate.row.values()] : valuesOfChange(gate)
  for (const change of changes) values.push(...valuesOfChange(change))
  for (const { rows } of inserts) for (const row of rows) values.push(...row.values())
  return values
}

const valuesOfChange = ({ where, patch }: PlannedChange): SqlTerm[] =>
  valuesOf(where, [...(patch?.values() ?? [])])

/** @param tells whether other parts of the statement ask what became of it */
function gateQuery(
  db: AnyCreator,
  engine: DbEngine,
  { gate, returning }: CommitPlan,
  tells = true,
) {
  const { name } = gate.schema
  const asked = returning.map(column => sql.ref(column).as(column))
  const returned = asked.length > 0 ? asked : [DONE]
  if (isInsert(gate)) {
    const insert = db.insertInto(name).values(termsOf(engine, gate.row))
    const unlessTaken = insert.onConflict(on => on.doNothing())
    return tells ? unlessTaken.returning(returned) : unlessTaken
  }
  const update = db.updateTable(name).set(termsOf(engine, gate.patch))
  const matching = update.where(toSql(gate.where, engine))
  return tells ? matching.returning(returned) : matching
}

const DONE = sql.lit(1).as('done')
const gateIsOpen = () => sql<boolean>`exists (select 1 from ${sql.table(GATE)})`

function changeQuery(db: AnyCreator, engine: DbEngine, { schema, where, patch }: PlannedChange) {
  const matching = toSql(where, engine)
  if (!patch) return db.deleteFrom(schema.name).where(matching).where(gateIsOpen()).returning(DONE)
  const update = db.updateTable(schema.name).set(termsOf(engine, patch))
  return update.where(matching).where(gateIsOpen()).returning(DONE)
}

/** The gate is one row or none, and so lets all rows in or none. Counting the changes has them made before, so that a unique value that they free can be taken. */
function insertQuery(
  db: AnyCreator,
  engine: DbEngine,
  { schema, rows }: PlannedInsert,
  changes: number,
) {
  const columns = [...schema.columns.values()]
  // The types of the first row are those of all.
  const typed = (value: SqlTerm, at: number) =>
    sql`${termFor(engine, value)}::${sql.raw(VALUE_TYPES[columns[at]!.kind])}`
  const lists = rows.map((row, at) => {
    const values = row.values()
    return sql.join(values.map(at === 0 ? typed : value => sql`${termFor(engine, value)}`))
  })
  const [only, ...others] = lists
  const selected =
    others.length === 0
      ? sql`select ${only} from ${sql.table(GATE)}`
      : sql`select ${sql.ref(NEW_ROWS)}.* from ${sql.table(GATE)}, (values ${sql.join(lists.map(list => sql`(${list})`))}) as ${sql.ref(NEW_ROWS)}`
  const made: RawBuilder<unknown>[] = []
  for (let at = 0; at < changes; at++) {
    made.push(sql`(select count(*) from ${sql.table(changeName(at))}) >= 0`)
  }
  return db
    .insertInto(schema.name)
    .columns(columns.map(({ name }) => name))
    .expression(made.length === 0 ? selected : sql`${selected} where ${sql.join(made, sql` and `)}`)
}
