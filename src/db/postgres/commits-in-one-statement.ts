import { type Compilable, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { type CommitPlan, isInsert, type PlannedInsert } from '../commit/commit-plan'
import { insertsMany, shapeOfInserts } from '../commit/fits-one-statement'
import type { DbEngine } from '../db-engine'
import type { Comparison, Condition } from '../filter/condition'
import { hasLists, shapeOf, toSql, valuesOf } from '../filter/to-sql'
import { DbMoment } from '../row/db-moment'
import { boundBy, shapeOfMoments, shapeOfRow } from '../row/sql-terms'
import type { SqlRow } from '../row/sql-row'
import type { SqlTerm, SqlValue } from '../row/sql-value'
import type { TableSchema } from '../schema/table-schema'
import type { Statement } from '../session/db-session'
import { columnType } from './column-types'

// No table and no column is named like these, which have a space.
const GIVEN = 'what is given'
const FREE = 'free rows'
const GATES = 'the gates'
/** Where a commit stands in the list of all. */
const PLACE = 'its place'
const KEY = 'its key'
const valueName = (at: number) => `value ${at}`

/** More than ever go together. Said in the statement, it has the server expect few, and look up each by its key. */
const MANY = 1000
/** What a commit may hold to go with others: they wait for it. */
const MOST_CHARACTERS = 65_536

/** Whether a commit can be one of several in a statement: what it writes depends on nothing but its own gate. */
export function canGoAlong(plan: CommitPlan): boolean {
  const { gate, changes, returning } = plan
  if (changes.length > 0 || returning.length > 0 || !gate.isPinned) return false
  if (insertsMany(plan) || isLong(plan)) return false
  if (isInsert(gate)) return gate.schema.primaryKey.length === 1
  return !hasLists(gate.where) && !writesTo(gate.patch, gate.key)
}

/** Whether a row has one of the columns that a condition names. */
function writesTo(patch: SqlRow, condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(part => writesTo(patch, part))
  if ('any' in condition) return condition.any.some(part => writesTo(patch, part))
  return patch.has(condition.column)
}

/** What such a commit has in common with those that can go with it. */
export function shapeOfMany(plan: CommitPlan): string {
  const { gate } = plan
  const { name } = gate.schema
  const along = shapeOfInserts(plan)
  return isInsert(gate)
    ? `insert ${name}${shapeOfMoments([gate.row])} with ${along}`
    : `update ${name} ${shapeOf(gate.key)} ${shapeOfRow(gate.patch)} ${shapeOf(gate.where)} with ${along}`
}

function isLong({ gate, inserts }: CommitPlan): boolean {
  let { characters } = isInsert(gate) ? gate.row : gate.patch
  for (const { rows } of inserts) for (const row of rows) characters += row.characters
  return characters > MOST_CHARACTERS
}

/**
 * Carries out commits of one shape, of which no two are of the same row, and gives back which were carried
 * out. A row that somebody else is writing is left alone: the others must not wait for it.
 */
export function commitsStatement(
  engine: DbEngine,
  shape: string,
  plans: readonly CommitPlan[],
): Statement {
  const bound = boundBy(engine.clock)
  const given = `[${plans.map((plan, place) => givenBy(plan, place, bound)).join()}]`
  const build = (db: QueryExecutorProvider) => {
    const query = new CommitsQuery(engine, plans[0]!).build(given)
    return { compile: () => query.compile(db) } as Compilable
  }
  return { shape: `many ${shape}`, values: [given], build }
}

/** Which of the commits were carried out, by their places. */
export function carriedOut(
  rows: readonly Readonly<Record<string, unknown>>[],
): ReadonlySet<number> {
  return new Set(rows.map(row => Number(row[PLACE])))
}

/**
 * The values of a commit by their names, in the order in which {@link CommitsQuery} names them, as JSON. An
 * object of so many keys is no longer one of a class to V8, and costs more than its text.
 */
function givenBy(
  { gate, inserts }: CommitPlan,
  place: number,
  bound: (term: SqlTerm) => SqlValue,
): string {
  let given = `{"${PLACE}":${place}`
  let count = 0
  const add = (term: SqlTerm) => {
    const name = valueName(count++)
    const value = bound(term)
    // What is not named is null.
    if (value !== null) given += `,"${name}":${JSON.stringify(value)}`
  }
  if (isInsert(gate)) gate.row.values().forEach(add)
  else {
    valuesOf(gate.key).forEach(add)
    gate.patch.values().forEach(add)
    valuesOf(gate.where).forEach(add)
  }
  for (const { rows } of inserts) for (const row of rows) row.values().forEach(add)
  return `${given}}`
}

/** The SQL for commits like one of them. */
class CommitsQuery {
  readonly #engine: DbEngine
  readonly #plan: CommitPlan
  readonly #columns = [sql`${sql.ref(PLACE)} integer`]
  readonly #place = sql.ref(`${GIVEN}.${PLACE}`)

  constructor(engine: DbEngine, plan: CommitPlan) {
    this.#engine = engine
    this.#plan = plan
  }

  build(given: string): RawBuilder<unknown> {
    const { gate, inserts } = this.#plan
    const { parts, isOpen } = isInsert(gate) ? this.#insertGates(gate) : this.#updateGates(gate)
    for (const insert of inserts) {
      for (const row of insert.rows) {
        const added = sql`${this.#insertRow(insert.schema, row)} where ${isOpen}`
        parts.push(sql`${sql.table(`insert ${parts.length}`)} as (${added})`)
      }
    }
    const few = sql`${sql.ref(PLACE)} between 0 and ${sql.lit(MANY)}`
    const rows = sql`json_to_recordset(${given}::json) as given(${sql.join(this.#columns)})`
    return sql`with ${sql.table(GIVEN)} as materialized (select * from ${rows} where ${few}), ${sql.join(parts)} select ${this.#place} from ${sql.table(GIVEN)} where ${isOpen}`
  }

  #insertGates({ schema, row }: Extract<CommitPlan['gate'], { row: unknown }>): Gates {
    const [key = ''] = schema.primaryKey
    const keyGiven = sql.ref(`${GIVEN}.${valueName(row.keys().indexOf(key))}`)
    const insert = this.#insertRow(schema, row)
    const gates = sql`${insert} on conflict do nothing returning ${sql.ref(key)} as ${sql.ref(KEY)}`
    return {
      parts: [sql`${sql.table(GATES)} as (${gates})`],
      isOpen: sql`${keyGiven} in (select ${sql.ref(KEY)} from ${sql.table(GATES)})`,
    }
  }

  #updateGates({
    schema,
    patch,
    where,
    key,
  }: Extract<CommitPlan['gate'], { patch: unknown }>): Gates {
    const [table, given] = [sql.table(schema.name), sql.table(GIVEN)]
    const isOfKey = toSql(this.#given(schema, key), this.#engine)
    const free = sql`select ${this.#place} from ${given}, ${table} where ${isOfKey} for no key update of ${table} skip locked`
    const names = patch.keys()
    const set = patch.values().map((term, at) => {
      const name = names[at]!
      return sql`${sql.ref(name)} = ${this.#next(schema, name, term)}`
    })
    const matches = toSql(this.#given(schema, where), this.#engine)
    const isFree = sql`${this.#place} in (select ${sql.ref(PLACE)} from ${sql.table(FREE)})`
    const gates = sql`update ${table} set ${sql.join(set)} from ${given} where ${matches} and ${isFree} returning ${this.#place}`
    return {
      parts: [
        sql`${sql.table(FREE)} as materialized (${free})`,
        sql`${sql.table(GATES)} as (${gates})`,
      ],
      isOpen: sql`${this.#place} in (select ${sql.ref(PLACE)} from ${sql.table(GATES)})`,
    }
  }

  #insertRow(schema: PlannedInsert['schema'], row: SqlRow): RawBuilder<unknown> {
    const names = row.keys()
    const columns = sql.join(names.map(name => sql.ref(name)))
    const values = row.values().map((term, at) => this.#next(schema, names[at]!, term))
    return sql`insert into ${sql.table(schema.name)} (${columns}) select ${sql.join(values)} from ${sql.table(GIVEN)}`
  }

  /** The same condition, with the values that are given. */
  #given(schema: TableSchema, condition: Condition): Condition {
    if ('all' in condition) return { all: condition.all.map(part => this.#given(schema, part)) }
    if ('any' in condition) return { any: condition.any.map(part => this.#given(schema, part)) }
    const { column, values } = condition
    const given = values.map(value => this.#next(schema, column, value))
    return { ...condition, values: given as unknown as Comparison['values'] }
  }

  /** The next value that is given. */
  #next(schema: TableSchema, column: string, term: SqlTerm): RawBuilder<unknown> {
    const name = valueName(this.#columns.length - 1)
    const type = columnType(schema.columns.get(column)!)
    this.#columns.push(sql`${sql.ref(name)} ${sql.raw(type)}`)
    const value = sql.ref(`${GIVEN}.${name}`)
    return term instanceof DbMoment ? sql`(${sql.raw(this.#engine.now)} + ${value})` : value
  }
}

interface Gates {
  readonly parts: RawBuilder<unknown>[]
  /** Whether a row of what is given has come through. */
  readonly isOpen: RawBuilder<unknown>
}
