import type { MysqlPool as KyselyPool, MysqlPoolConnection } from 'kysely'
import { WfError } from '../../errors'
import type { SqlResult } from '../db-engine'
import { KeptTexts } from '../kept-texts'
import type { SqlValue } from '../row/sql-value'
import { mysqlFailure } from './mysql-failure'
import { WaitingList } from './waiting-list'
import type { MysqlCallback, MysqlConnection, MysqlPool } from './mysql-pool'

export interface PreparedPoolOptions {
  readonly pool: MysqlPool
  readonly timeoutMs: number
  /** How long to wait for a connection that is free. */
  readonly acquireTimeoutMs: number
}

type GotConnection = (error: unknown, connection: MysqlPoolConnection) => void

const PREPARABLE = /^\s*(?:select|insert|update|delete|begin not atomic)\b/u
const COMPOUND = /^begin not atomic\b/u
const TRANSACTION = /^(?:begin(?! not atomic)|start|commit|rollback)\b/u

/**
 * A pool for Kysely on which values travel apart from the statement, in binary. mysql2's `query`,
 * which Kysely's driver calls, would write them into its text, and reads some numbers wrongly.
 */
export class PreparedPool implements KyselyPool {
  readonly kept = new KeptTexts()
  readonly #options: PreparedPoolOptions
  readonly #connections = new WeakMap<MysqlConnection, MysqlPoolConnection>()
  readonly #broken = new WeakSet<MysqlConnection>()
  /** mysql2 waits for ever for a connection that is free. */
  readonly #waiting: WaitingList
  /** Its own timeout would cost a timer for each statement. */
  readonly #running: WaitingList
  #isEnded = false

  constructor(options: PreparedPoolOptions) {
    this.#options = options
    this.#waiting = new WaitingList(options.acquireTimeoutMs)
    this.#running = new WaitingList(options.timeoutMs)
  }

  getConnection(callback: GotConnection): void {
    this.#acquire((error, connection) => {
      // Without a connection there is nothing to hand on; the error says why.
      callback(error, error ? (undefined as never) : this.#prepared(connection))
    })
  }

  execute(sql: string, values: readonly SqlValue[]): Promise<SqlResult> {
    return new Promise((resolve, reject) => {
      this.#acquire((failure, connection) => {
        if (failure) return reject(failure)
        this.#query(connection, sql, values, (error, result) => {
          this.#release(connection)
          if (error) reject(error)
          else resolve(toSqlResult(result))
        })
      })
    })
  }

  end(callback: (error: unknown) => void): void {
    if (this.#isEnded) return callback(null)
    this.#isEnded = true
    this.#options.pool.end(callback)
  }

  #prepared(connection: MysqlConnection): MysqlPoolConnection {
    const known = this.#connections.get(connection)
    if (known) return known
    const query = (sql: string, values: readonly unknown[], callback: MysqlCallback) =>
      this.#query(connection, sql, values, callback)
    const prepared: MysqlPoolConnection = {
      // Kysely's type has a second form of `query`, for streams, which nothing here asks for.
      query: query as unknown as MysqlPoolConnection['query'],
      release: () => this.#release(connection),
    }
    this.#connections.set(connection, prepared)
    return prepared
  }

  #acquire(callback: (error: unknown, connection: MysqlConnection) => void): void {
    const waiting = this.#waiting.enter(() => {
      const message = 'No connection to the database was free in time.'
      callback(new WfError('WF_DB_UNAVAILABLE', message), undefined as never)
    })
    this.#options.pool.getConnection((error, connection) => {
      if (this.#waiting.leave(waiting)) callback(error, connection)
      else if (!error) connection.release()
    })
  }

  #release(connection: MysqlConnection): void {
    if (this.#broken.has(connection)) connection.destroy()
    else connection.release()
  }

  #query(
    connection: MysqlConnection,
    sql: string,
    values: readonly unknown[],
    callback: MysqlCallback,
  ): void {
    const isPrepared = PREPARABLE.test(sql)
    const running = this.#running.enter(() => {
      this.#broken.add(connection)
      const message = 'The database did not answer in time.'
      callback(new WfError('WF_DB_UNAVAILABLE', message), undefined)
    })
    const done: MysqlCallback = (error, result) => {
      if (!this.#running.leave(running)) return
      // The server bounds the prepared statements of all its clients together.
      if (isPrepared && !this.kept.has(sql)) connection.unprepare(sql)
      // A connection that may still be within a transaction, or at work, is not used again.
      if (error && (TRANSACTION.test(sql) || mysqlFailure(error) === 'unavailable')) {
        this.#broken.add(connection)
      }
      if (!error || !COMPOUND.test(sql) || this.#broken.has(connection))
        return callback(error, result)
      // What it has begun is still open, unless the server has ended it.
      this.#query(connection, 'rollback', [], () => callback(error, result))
    }
    if (isPrepared) connection.execute(sql, values.map(toMysqlValue), done)
    else connection.query(sql, values, done)
  }
}

function toSqlResult(result: unknown): SqlResult {
  // A compound statement gives out the rows that it has read, and then what it has done.
  const rows: unknown = Array.isArray(result) && Array.isArray(result[0]) ? result[0] : result
  if (Array.isArray(rows)) return { rows, affected: rows.length }
  return { rows: [], affected: (result as { affectedRows?: number }).affectedRows ?? 0 }
}

/** The database has no booleans. */
const toMysqlValue = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)
