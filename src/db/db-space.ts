import { Kysely } from 'kysely'
import { WfError } from '../errors'
import type { DbCommit, DbCommitResult } from './commit/db-commit'
import { runCommit } from './commit/run-commit'
import type { AnyKysely, DbEngine, EngineTraits } from './db-engine'
import type { DbSession } from './session/db-session'
import { DbTable } from './db-table'
import { toWfError } from './session/driver-error'
import { DbMoment } from './row/db-moment'
import { readTableSchema } from './schema/read-table-schema'
import type { TableSchema } from './schema/table-schema'
import type { DbRowOf, DbTableType } from './schema/table-type'
import { SpaceSession } from './session/space-session'
import { StatementTexts } from './session/statement-texts'
import { syncSchema } from './sync/sync-schema'
import type { SyncOptions, SyncStep } from './sync/sync-step'

/** What a transaction gives: the same tables, within it. */
export interface DbTransaction {
  table<T extends DbTableType>(type: T): DbTable<DbRowOf<T> & object>
  /** As {@link DbSpace.commit}, but a part of this transaction. One that does not hold leaves it as it was. */
  commit<Row extends object, Returned extends keyof Row = never>(
    commit: DbCommit<Row, Returned>,
  ): Promise<DbCommitResult<Pick<Row, Returned>>>
}

/**
 * A database and its tables.
 *
 * @example
 * ```ts
 * import { openSqlite } from '@atscript/moost-wf/db/sqlite'
 *
 * const space = openSqlite('app.db')
 * await space.sync() // creates and extends the tables that were asked for
 * await space.close()
 * ```
 */
export class DbSpace implements DbTransaction {
  readonly #engine: DbEngine
  readonly #db: AnyKysely
  readonly #session: DbSession
  readonly #schemas = new Map<DbTableType, TableSchema>()
  readonly #tables = new Map<DbTableType, unknown>()
  #traits: Promise<EngineTraits> | undefined

  constructor(engine: DbEngine) {
    this.#engine = engine
    this.#db = new Kysely({ dialect: engine.dialect })
    this.#session = new SpaceSession(this.#db, new StatementTexts(engine), () => this.#askTraits())
  }

  /**
   * The table that a `.as` interface with `@db.table` describes.
   *
   * @throws WfError `WF_CONFIG` for an interface that cannot be a table, saying what to change
   */
  table<T extends DbTableType>(type: T): DbTable<DbRowOf<T> & object> {
    return this.#tableIn(this.#session, this.#tables, type)
  }

  /**
   * Creates missing tables, columns and indexes of all tables that were asked for so far, and
   * nothing else. Can be called by many processes at once, each time they start.
   *
   * @returns what was done; with `dryRun` what would be
   * @throws WfError `WF_DB_SCHEMA` naming every difference that it would take losing data to remove
   */
  async sync(options: SyncOptions = {}): Promise<readonly SyncStep[]> {
    try {
      const target = { db: this.#db, engine: this.#engine, traits: await this.#askTraits() }
      return await syncSchema(target, [...this.#schemas.values()], options)
    } catch (error) {
      throw toWfError(this.#engine, error)
    }
  }

  /**
   * Writes a row under a condition, and what belongs to it, or nothing: in one round trip where the
   * database can.
   *
   * A connection that breaks meanwhile is no reason to guess. A commit whose condition can hold only
   * once (it names a version that the write raises, or the last `commitId`, or it is an insert) is
   * sent again, for three seconds, and cannot be carried out twice by that. Any is looked up by its
   * `commitId`. `held: true` means that it was carried out, by whichever sending; `held: false` that
   * it was not and will not be. `WF_DB_UNAVAILABLE` means that neither is known: the database
   * stayed away, or the row has been written again and no inserted row keeps the `commitId`.
   * {@link DbTable.hasCommit} looks it up later.
   *
   * @throws WfError `WF_CONFLICT` if a unique value of what goes with it is taken; `WF_DB_ROW`,
   * `WF_DB_FILTER`, `WF_CONFIG`, `WF_DB_UNAVAILABLE`
   * @example
   * ```ts
   * import { insertInto, updateIn } from '@atscript/moost-wf/db'
   * import { openSqlite } from '@atscript/moost-wf/db/sqlite'
   * import { OrderEventRow, OrderRow } from './schemas/OrderRows.as'
   *
   * const { held } = await openSqlite('app.db').commit({
   *   write: updateIn(OrderRow, { id: 'o1', version: 7 }, { version: 8, status: 'paid' }),
   *   with: [insertInto(OrderEventRow, { orderId: 'o1', seq: 8, kind: 'paid' })],
   * })
   * ```
   */
  commit<Row extends object, Returned extends keyof Row = never>(
    commit: DbCommit<Row, Returned>,
  ): Promise<DbCommitResult<Pick<Row, Returned>>> {
    return runCommit(this.#session, type => this.#schemaOf(type), commit)
  }

  /**
   * The moment at which the database runs a statement, or one that is so many milliseconds away: to be
   * written to a column of whole numbers, or compared with one. It is the same clock for all processes.
   *
   * @example
   * ```ts
   * import { updateIn } from '@atscript/moost-wf/db'
   * import { openSqlite } from '@atscript/moost-wf/db/sqlite'
   * import { OrderRow } from './schemas/OrderRows.as'
   *
   * const space = openSqlite('app.db')
   * const { held } = await space.commit({
   *   write: updateIn(
   *     OrderRow,
   *     { id: 'o1', heldUntil: { $lte: space.now() } },
   *     { heldUntil: space.now(10_000) },
   *   ),
   * })
   * ```
   */
  now(offsetMs = 0): DbMoment {
    return new DbMoment(offsetMs)
  }

  /** Whether {@link transaction} can be used: D1 keeps none open while other code runs. */
  get hasTransactions(): boolean {
    return this.#session.hasTransactions
  }

  /**
   * Runs `work` in a transaction: all that it does through the tables of its argument, or none.
   * After a deadlock it is run again, so it should do nothing but database work.
   *
   * @throws WfError `WF_CONFIG` where there are none, as on D1
   */
  async transaction<R>(work: (transaction: DbTransaction) => Promise<R>): Promise<R> {
    return this.#session.atomically(async session => {
      const tables = new Map<DbTableType, unknown>()
      return work({
        table: type => this.#tableIn(session, tables, type),
        commit: commit => runCommit(session, type => this.#schemaOf(type), commit),
      })
    })
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#db.destroy()
    await this.#engine.close()
  }

  #tableIn<T extends DbTableType>(
    session: DbSession,
    tables: Map<DbTableType, unknown>,
    type: T,
  ): DbTable<DbRowOf<T> & object> {
    const known = tables.get(type)
    if (known) return known as DbTable<DbRowOf<T> & object>
    const table = new DbTable<DbRowOf<T> & object>(type, this.#schemaOf(type), session)
    tables.set(type, table)
    return table
  }

  #schemaOf(type: DbTableType): TableSchema {
    const known = this.#schemas.get(type)
    if (known) return known
    const schema = readTableSchema(type)
    // Case does not tell tables apart everywhere.
    const twin = [...this.#schemas.values()].find(
      ({ name }) => name.toLowerCase() === schema.name.toLowerCase(),
    )
    if (twin) {
      throw new WfError('WF_CONFIG', `Two interfaces describe the table "${schema.name}".`)
    }
    this.#schemas.set(type, schema)
    return schema
  }

  /** An answer is kept, a failure is not. */
  #askTraits(): Promise<EngineTraits> {
    this.#traits ??= this.#engine.traits(this.#db).catch((error: unknown) => {
      this.#traits = undefined
      throw toWfError(this.#engine, error)
    })
    return this.#traits
  }
}
