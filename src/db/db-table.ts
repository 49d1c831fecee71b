import { COMMIT_ID } from './commit/commit-plan'
import { checkKeepsCommits } from './commit/plan-commit'
import type { DbSession } from './session/db-session'
import { type DbControls, parseControls } from './filter/controls'
import type { DbFilter } from './filter/filter'
import { filterOf } from './filter/filter-of'
import { parseFilter } from './filter/parse-filter'
import { insertRows } from './operations/insert-rows'
import { countRows, countRowsBy, countStatement, type DbCount } from './operations/count-rows'
import { type DbCountQuery, parseCountBy } from './filter/count-query'
import { selectJoined } from './operations/select-joined'
import { selectRows, selectStatement } from './operations/select-rows'
import type { TableAccess } from './operations/table-access'
import { takeRow } from './operations/take-row'
import { deleteRows, updateRows } from './operations/update-rows'
import { type DbUpsertOptions, planUpsert } from './operations/upsert-plan'
import { upsertRow } from './operations/upsert-row'
import type { DbPatch } from './row/db-patch'
import { decodeRow } from './row/decode-row'
import { completeRow, encodeNamed, encodeWhole, fitsColumn } from './row/encode-row'
import type { SqlRow } from './row/sql-row'
import type { SqlValue } from './row/sql-value'
import type { TableSchema } from './schema/table-schema'
import type { DbTableType } from './schema/table-type'

/** Which rows, and how to give them out. */
export interface DbQuery<Row, Selected extends keyof Row = keyof Row> {
  /** Without the key all rows are meant. `filter: undefined` is refused: it is a mistake. */
  readonly filter?: DbFilter<Row>
  readonly controls?: DbControls<Row, Selected> | undefined
}

/** What an operation runs, to be shown or explained. */
export interface DbStatement {
  readonly text: string
  readonly parameters: readonly SqlValue[]
}

/** What an update has done. */
export interface DbUpdateResult {
  readonly matchedCount: number
  /** Rows that were written, whether or not that changed them. */
  readonly modifiedCount: number
}

/**
 * A table whose rows are typed by a `.as` interface. Every operation is one statement, unless its
 * comment says otherwise, so that each is atomic by itself.
 *
 * A filter and its controls may come straight from a request: what is not a column, an operator or a
 * fitting value is refused with `WF_DB_FILTER`, before there is any SQL. A database that cannot
 * answer is an error, never "not found".
 *
 * @example
 * ```ts
 * import { openSqlite } from '@atscript/moost-wf/db/sqlite'
 * import { WfStateRow } from './schemas/WfStateRow.as'
 *
 * const table = openSqlite('app.db').table(WfStateRow)
 * const paused = await table.findMany({ filter: { schemaId: 'users/invite' } })
 * ```
 */
export class DbTable<Row extends object> {
  readonly #access: TableAccess

  constructor(
    /** The `.as` interface. */
    readonly type: DbTableType,
    schema: TableSchema,
    session: DbSession,
  ) {
    this.#access = { schema, session }
  }

  get name(): string {
    return this.#access.schema.name
  }

  async findOne<Selected extends keyof Row = keyof Row>(
    query: DbQuery<Row, Selected>,
  ): Promise<Pick<Row, Selected> | null> {
    const [row] = await this.#find(query, 1)
    return (row as Pick<Row, Selected> | undefined) ?? null
  }

  async findMany<Selected extends keyof Row = keyof Row>(
    query: DbQuery<Row, Selected>,
  ): Promise<Pick<Row, Selected>[]> {
    return (await this.#find(query)) as Pick<Row, Selected>[]
  }

  /**
   * The row that matches, and the row of another table of this database whose id it names in a column.
   * `null` unless both are there. The filter must name one row.
   */
  async findOneWith<Other extends object>(
    filter: DbFilter<Row>,
    column: keyof Row & string,
    other: DbTable<Other>,
  ): Promise<readonly [Row, Other] | null> {
    const found = await selectJoined(this.#access, this.#parse(filter), column, other.#access)
    return found as readonly [Row, Other] | null
  }

  /** How many rows match. */
  async count(query: Pick<DbQuery<Row>, 'filter'>): Promise<number> {
    return countRows(this.#access, this.#where(query))
  }

  /**
   * How many rows have each value of a column, the most frequent first, and at most `limit` of them. With
   * `every` it is each range of so many whole numbers, named by the first of them; `least` is a column
   * whose smallest value is told with each count.
   *
   * @throws WfError `WF_DB_FILTER` for a column that holds JSON, or ranges of one without whole numbers
   */
  async countBy<Column extends keyof Row & string>(
    column: Column,
    query: DbCountQuery<Row>,
  ): Promise<DbCount<Row[Column]>[]> {
    const where = this.#where(query, ['limit', 'every', 'least'])
    const counts = await countRowsBy(
      this.#access,
      where,
      parseCountBy(this.#access.schema, column, query),
    )
    return counts as DbCount<Row[Column]>[]
  }

  /** The one statement that `findMany` or `count` would run for a query. Runs nothing. */
  toSql(operation: 'findMany' | 'count', query: DbQuery<Row>): DbStatement {
    const { schema, session } = this.#access
    const where = this.#where(query)
    const statement =
      operation === 'count'
        ? countStatement(this.#access, where)
        : selectStatement(this.#access, where, parseControls(schema, query.controls))
    const { sql, values } = session.bind(statement)
    return { text: sql, parameters: values }
  }

  /**
   * Inserts a row; what it does not name is its default, or null.
   *
   * @throws WfError `WF_CONFLICT` if a unique index already holds such a row
   */
  async insertOne(row: DbPatch<Row>): Promise<{ insertedId: unknown }> {
    const { insertedIds } = await this.insertMany([row])
    return { insertedId: insertedIds[0] }
  }

  /** Inserts all of the rows or none. Very many go in several statements of one transaction. */
  async insertMany(
    rows: readonly DbPatch<Row>[],
  ): Promise<{ insertedCount: number; insertedIds: unknown[] }> {
    const { schema } = this.#access
    const encoded = rows.map(row => encodeWhole(schema, row))
    await insertRows(this.#access, encoded)
    return { insertedCount: encoded.length, insertedIds: encoded.map(row => idOf(schema, row)) }
  }

  /**
   * Writes the columns that `patch` names. A column whose value is `undefined` is not named.
   *
   * @throws WfError `WF_DB_ROW`, `WF_CONFLICT`
   */
  async updateMany(filter: DbFilter<Row>, patch: DbPatch<Row>): Promise<DbUpdateResult> {
    const where = this.#parse(filter)
    const named = encodeNamed(this.#access.schema, patch)
    if (named.size === 0) {
      return { matchedCount: await countRows(this.#access, where), modifiedCount: 0 }
    }
    const matchedCount = await updateRows(this.#access, where, named)
    return { matchedCount, modifiedCount: matchedCount }
  }

  /** Writes all columns: what `row` does not name becomes its default, or null; the id stays
   * unless `row` names one. */
  async replaceMany(filter: DbFilter<Row>, row: DbPatch<Row>): Promise<DbUpdateResult> {
    const { schema } = this.#access
    const where = this.#parse(filter)
    const whole = encodeWhole(schema, row, { keepsId: true })
    const matchedCount = await updateRows(this.#access, where, whole)
    return { matchedCount, modifiedCount: matchedCount }
  }

  async deleteMany(filter: DbFilter<Row>): Promise<{ deletedCount: number }> {
    return { deletedCount: await deleteRows(this.#access, this.#parse(filter)) }
  }

  /**
   * Inserts a row, or writes what it names to the row that has the same `conflict` columns. Where
   * the database cannot do that in one statement, it is a transaction.
   *
   * @returns the `returning` columns as they are now
   * @throws WfError `WF_DB_ROW`, `WF_CONFLICT`
   */
  async upsertOne<Returned extends keyof Row & string = never>(
    row: DbPatch<Row>,
    options: DbUpsertOptions<keyof Row & string, Returned>,
  ): Promise<Pick<Row, Returned>> {
    const { schema } = this.#access
    const named = encodeNamed(schema, row)
    const plan = planUpsert(schema, named, options)
    const returned = await upsertRow(this.#access, completeRow(schema, named), plan)
    return decodeRow(schema, returned) as Pick<Row, Returned>
  }

  /**
   * Deletes a row and returns it: of any number of callers, in any number of processes, exactly one
   * gets it. The filter must name the id or a unique index, so that there is at most one. Where the
   * database cannot do that in one statement, it is a transaction.
   *
   * @throws WfError `WF_DB_FILTER`, also for a filter that could match many
   */
  async takeOne(filter: DbFilter<Row>): Promise<Row | null> {
    const taken = await takeRow(this.#access, this.#parse(filter))
    return taken ? (decodeRow(this.#access.schema, taken) as Row) : null
  }

  /**
   * Whether one of these rows keeps the id of a commit. A row keeps that of the last commit that has
   * written it; in a table that only grows, `true` and `false` stay what they are, once nobody is
   * trying any more.
   *
   * @throws WfError `WF_CONFIG` for a table without the column `commitId`
   */
  async hasCommit(commitId: string, filter: DbFilter<Row>): Promise<boolean> {
    checkKeepsCommits(this.#access.schema)
    const where = this.#parse({ $and: [filter, { [COMMIT_ID]: commitId }] })
    return (await countRows(this.#access, where)) > 0
  }

  /** Whether {@link transaction} can be used. See {@link DbSpace.hasTransactions}. */
  get hasTransactions(): boolean {
    return this.#access.session.hasTransactions
  }

  /** Runs `work` in a transaction, through the table that it is given. See {@link DbSpace.transaction}. */
  async transaction<R>(work: (table: DbTable<Row>) => Promise<R>): Promise<R> {
    const { schema, session } = this.#access
    return session.atomically(inside => work(new DbTable<Row>(this.type, schema, inside)))
  }

  /** Whether a column takes a value as it is. */
  fits(column: keyof Row & string, value: unknown): boolean {
    return fitsColumn(this.#access.schema, column, value)
  }

  #find(query: DbQuery<Row, keyof Row>, limit?: 1) {
    const where = this.#where(query)
    return selectRows(
      this.#access,
      where,
      parseControls(this.#access.schema, query.controls, limit),
    )
  }

  #where(query: unknown, besides = ['controls']) {
    return this.#parse(filterOf(query, besides))
  }

  #parse(filter: unknown) {
    return parseFilter(this.#access.schema, filter)
  }
}

/** The value of the id, or the values by their columns. */
function idOf({ primaryKey }: TableSchema, row: SqlRow): unknown {
  const [id, ...others] = primaryKey
  if (others.length === 0) return row.get(id!)
  return Object.fromEntries(primaryKey.map(column => [column, row.get(column)]))
}
