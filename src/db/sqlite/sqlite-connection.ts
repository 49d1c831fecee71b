import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Awaitable } from '../../state'
import type { SqlResult } from '../db-engine'
import { KeptTexts } from '../kept-texts'
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite-database'
import { isBusy } from './sqlite-failure'

/** Between two attempts to get the lock that another process holds. */
const LONGEST_PAUSE_MS = 20

const NO_ROWS: SqlResult['rows'] = []

interface Prepared {
  readonly statement: SqliteStatement
  readonly givesRows: boolean
}

/** Runs statements on a SQLite database, preparing those that come again once. */
export class SqliteConnection implements DatabaseConnection {
  readonly kept = new KeptTexts()
  /** When to give up waiting for another process. */
  deadline = Infinity
  readonly #prepared = new Map<string, Prepared>()

  constructor(private readonly database: SqliteDatabase) {}

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affected } = await this.execute(sql, parameters)
    return { rows: rows as Row[], numAffectedRows: BigInt(affected) }
  }

  /** Waits while another process holds the file. */
  execute(sql: string, parameters: readonly unknown[]): Awaitable<SqlResult> {
    try {
      return this.executeAtOnce(sql, parameters)
    } catch (error) {
      return this.#again(sql, parameters, error)
    }
  }

  async #again(sql: string, parameters: readonly unknown[], first: unknown): Promise<SqlResult> {
    let failure = first
    for (;;) {
      if (!isBusy(failure) || Date.now() >= this.deadline) throw failure
      await new Promise(resolve => setTimeout(resolve, Math.random() * LONGEST_PAUSE_MS))
      try {
        return this.executeAtOnce(sql, parameters)
      } catch (error) {
        failure = error
      }
    }
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not supported.')
  }

  /** Waits for nothing. */
  executeAtOnce(sql: string, parameters: readonly unknown[]): SqlResult {
    const values = parameters.map(toSqliteValue)
    const { statement, givesRows } = this.#prepared.get(sql) ?? this.#prepare(sql)
    if (givesRows) {
      const rows = statement.all(...values) as Record<string, unknown>[]
      return { rows, affected: rows.length }
    }
    return { rows: NO_ROWS, affected: Number(statement.run(...values).changes) }
  }

  #prepare(sql: string): Prepared {
    const statement = this.database.prepare(sql)
    const givesRows = statement.reader ?? (statement.columns?.().length ?? 0) > 0
    const prepared = { statement, givesRows }
    if (this.kept.has(sql)) this.#prepared.set(sql, prepared)
    return prepared
  }
}

/** SQLite has no booleans. What else could come would be bound as NULL without a word. */
function toSqliteValue(value: unknown): SqliteValue {
  if (typeof value === 'boolean') return Number(value)
  // @photostructure/sqlite 1.2 binds such numbers as 0. As text the column makes a number of them.
  if (typeof value === 'number' && Math.abs(value) < Number.EPSILON && value !== 0)
    return `${value}`
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`SQLite cannot bind a ${typeof value}.`)
}
