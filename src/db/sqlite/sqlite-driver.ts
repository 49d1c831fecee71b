import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely'
import { type Awaitable, isAwaited } from '../../state'
import type { SqlResult } from '../db-engine'
import type { SqlValue } from '../row/sql-value'
import { SqliteConnection } from './sqlite-connection'
import type { SqliteDatabase } from './sqlite-database'
import { type Execute, SAVEPOINTS, SharedCommits } from './shared-commits'
import { Turns } from './turns'

export interface SqliteDriverOptions {
  readonly database: SqliteDatabase
  /** How long to wait for another process, or for a transaction of this one. */
  readonly busyTimeoutMs: number
}

const BEGIN = 'begin immediate'
const COMMIT = 'commit'
const ROLLBACK = 'rollback'

/** A Kysely driver for one SQLite connection, which its users share by taking turns. */
export class SqliteDriver implements Driver {
  readonly connection: SqliteConnection
  readonly #options: SqliteDriverOptions
  readonly #turns: Turns
  readonly #commits: SharedCommits
  #isClosed = false

  constructor(options: SqliteDriverOptions) {
    this.#options = options
    this.connection = new SqliteConnection(options.database)
    for (const sql of [BEGIN, COMMIT, ROLLBACK, ...SAVEPOINTS]) this.connection.kept.add(sql)
    this.#commits = new SharedCommits(this.connection, work => this.#transact(work))
    this.#turns = new Turns(options.busyTimeoutMs)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#acquire()
    return this.connection
  }

  async execute(sql: string, values: readonly SqlValue[]): Promise<SqlResult> {
    const turn = this.#acquire()
    if (isAwaited(turn)) await turn
    try {
      const executed = this.connection.execute(sql, values)
      return isAwaited(executed) ? await executed : executed
    } finally {
      this.#turns.pass()
    }
  }

  /**
   * Runs `work` in a transaction during which nothing else runs in this process, but for other such work
   * that comes at the same time: it waits for the disk together.
   */
  atOnce<R>(work: (execute: Execute) => R): Promise<R> {
    return this.#commits.add(work)
  }

  async #transact(work: () => void): Promise<void> {
    const { connection } = this
    const turn = this.#acquire()
    if (isAwaited(turn)) await turn
    try {
      const begun = connection.execute(BEGIN, [])
      if (isAwaited(begun)) await begun
      try {
        work()
        const committed = connection.execute(COMMIT, [])
        if (isAwaited(committed)) await committed
      } catch (error) {
        // Of some failures SQLite has rolled back by itself.
        await Promise.resolve(connection.execute(ROLLBACK, [])).catch(() => {})
        throw error
      }
    } finally {
      this.#turns.pass()
    }
  }

  #acquire(): Awaitable<void> {
    // From here on, not from its turn on: those behind it must not wait as long again.
    const deadline = Date.now() + this.#options.busyTimeoutMs
    const turn = this.#turns.take()
    const taken = () => void (this.connection.deadline = deadline)
    return isAwaited(turn) ? turn.then(taken) : taken()
  }

  /** At once for writing: a transaction that reads first could not wait for a writer any more. */
  async beginTransaction(): Promise<void> {
    await this.connection.executeQuery(CompiledQuery.raw(BEGIN))
    this.#turns.watch()
  }

  async commitTransaction(): Promise<void> {
    this.connection.deadline = Date.now() + this.#options.busyTimeoutMs
    await this.connection.executeQuery(CompiledQuery.raw(COMMIT))
  }

  async rollbackTransaction(): Promise<void> {
    await this.connection.executeQuery(CompiledQuery.raw(ROLLBACK))
  }

  async releaseConnection(): Promise<void> {
    this.#turns.pass()
  }

  async destroy(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#moveLogIntoFile()
    this.#options.database.close()
  }

  /** SQLite does it by itself only when no statement is kept prepared. Another process may be in the way. */
  #moveLogIntoFile(): void {
    try {
      this.#options.database.exec('pragma wal_checkpoint(truncate)')
    } catch {
      // Nothing is lost: whoever opens the file next reads the log.
    }
  }
}
