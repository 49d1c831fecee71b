import { MysqlDialect, sql } from 'kysely'
import { WfError } from '../../errors'
import type { Clock } from '../../state'
import type { AnyKysely, DbEngine, EngineTraits } from '../db-engine'
import { DbSpace } from '../db-space'
import { checkUrl } from '../check-url'
import { loadDriver } from '../load-driver'
import type { Column } from '../schema/column'
import { commitInCompound } from './commit-in-compound'
import { inspectMysql } from './inspect-mysql'
import { mysqlFailure } from './mysql-failure'
import type { MysqlConnection, MysqlPool, MysqlPromisePool } from './mysql-pool'
import { PreparedPool } from './prepared-pool'

/** How to open a MariaDB or MySQL database. */
export interface OpenMysqlOptions {
  /**
   * How many connections to hold at most. Of a pool that is handed over, its own setting counts.
   *
   * @default 10
   */
  readonly maxConnections?: number | undefined
  /**
   * Whether the server's `insert` and `delete` can return rows.
   *
   * @default what the server is: MariaDB can, MySQL cannot
   */
  readonly returning?: boolean | undefined
  /**
   * How long a statement may take before it fails, in milliseconds.
   *
   * @default 30000
   */
  readonly timeoutMs?: number | undefined
  /**
   * What `now()` of the space goes by: for tests.
   *
   * @default the clock of the database
   */
  readonly clock?: Clock | undefined
}

const SYNC_LOCK = 'moost-wf-sync'
const SYNC_LOCK_SECONDS = 60
const CONNECT_TIMEOUT_MS = 10_000
/** More than `KeptTexts` keeps, so that one that runs once evicts none. */
const MOST_STATEMENTS = 250

/**
 * Opens a MariaDB or MySQL database by its URL, or on a pool of the package mysql2.
 *
 * @throws WfError `WF_CONFIG` when mysql2 is not installed, the address is no URL of MySQL, or the
 * settings of the pool would make results wrong
 * @example
 * ```ts
 * import { openMysql } from '@atscript/moost-wf/db/mysql'
 *
 * const space = openMysql('mysql://user:password@localhost:3306/app')
 * ```
 */
export function openMysql(
  urlOrPool: string | MysqlPool | MysqlPromisePool,
  { maxConnections = 10, returning, timeoutMs = 30_000, clock }: OpenMysqlOptions = {},
): DbSpace {
  const pool =
    typeof urlOrPool === 'string' ? createPool(urlOrPool, maxConnections) : corePool(urlOrPool)
  const prepared = new PreparedPool({ pool, timeoutMs, acquireTimeoutMs: CONNECT_TIMEOUT_MS })
  return new DbSpace(mysqlEngine(prepared, returning, clock))
}

/** What a connection of ours is set to. The default isolation locks gaps, and meets more deadlocks. */
const SETTINGS = [
  'set session transaction isolation level read committed',
  "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
]

interface OwnPool extends MysqlPool {
  on(event: 'connection', listener: (connection: MysqlConnection) => void): unknown
}

function createPool(url: string, maxConnections: number): MysqlPool {
  const driver = loadDriver<{ createPool(options: object): OwnPool }>('mysql2')
  const pool = driver.createPool({
    uri: checkUrl(url, /^(?:mysql|mariadb):$/u),
    connectionLimit: maxConnections,
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableKeepAlive: true,
    maxPreparedStatements: MOST_STATEMENTS,
  })
  pool.on('connection', connection => {
    for (const setting of SETTINGS) {
      // Without them values could be cut in silence.
      connection.query(setting, (error: unknown) => error && connection.destroy())
    }
  })
  return pool
}

/** @throws WfError `WF_CONFIG` for settings under which results would be wrong */
function corePool(given: MysqlPool | MysqlPromisePool): MysqlPool {
  const pool = 'pool' in given ? given.pool : given
  const { config } = pool as { config?: { connectionConfig?: Record<string, unknown> } }
  const { rowsAsArray, clientFlags = FOUND_ROWS } = config?.connectionConfig ?? {}
  if (rowsAsArray) throw new WfError('WF_CONFIG', 'The pool must not have rowsAsArray.')
  if ((Number(clientFlags) & FOUND_ROWS) === 0) {
    throw new WfError('WF_CONFIG', 'The pool must have the flag FOUND_ROWS, as it has by default.')
  }
  return pool
}

/** Updates count the rows that match, not those that change. */
const FOUND_ROWS = 2

/** By UTC: a local time comes twice where clocks are put back. */
const NOW = "(timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000)"

function mysqlEngine(
  pool: PreparedPool,
  returning: boolean | undefined,
  clock: Clock | undefined,
): DbEngine {
  return {
    name: 'mysql',
    dialect: new MysqlDialect({ pool }),
    traits: async db => ({
      ...(await askServer(db)),
      ...(returning !== undefined && { returning }),
      // As MySQL would be.
      ...(returning === false && { compound: false }),
    }),
    upsert: 'on duplicate key',
    updateReturning: false,
    commit: commitInCompound,
    sortsNullsFirst: true,
    now: clock ? '0' : NOW,
    clock,
    maxParameters: 65_535,
    execute: (sql, values) => pool.execute(sql, values),
    failureOf: mysqlFailure,
    keepPrepared: sql => pool.kept.add(sql),
    close: () =>
      new Promise((resolve, reject) => {
        pool.end(error => (error ? reject(error as Error) : resolve()))
      }),
    columnType,
    exclusively: (db, work) => db.connection().execute(connection => withLock(connection, work)),
    inspect: inspectMysql,
  }
}

async function askServer(db: AnyKysely): Promise<EngineTraits> {
  const { rows } = await sql<{ version: string; charset: string }>`
    select version() as version, @@character_set_client as charset`.execute(db)
  const { version = '', charset } = rows[0] ?? {}
  if (charset !== 'utf8mb4') {
    throw new WfError('WF_CONFIG', `The connection must use utf8mb4, not ${charset}.`)
  }
  if (!version.includes('MariaDB')) return { returning: false, collation: 'utf8mb4_0900_bin' }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  // Older ones do not prepare a compound statement with parameters, or were not tried.
  const compound = major > 10 || (major === 10 && minor >= 11)
  return { returning: true, collation: 'utf8mb4_nopad_bin', compound }
}

/** The collations compare byte by byte; the usual ones take "A" for "a" and "a " for "a". */
function columnType(column: Column, { collation }: EngineTraits): string {
  switch (column.kind) {
    case 'string':
      return `${column.isShort ? `varchar(${column.maxLength})` : 'longtext'} collate ${collation}`
    case 'json':
      return `longtext collate ${collation}`
    case 'number':
      return 'double'
    case 'integer':
      return 'bigint'
    case 'boolean':
      return 'tinyint'
  }
}

/** DDL is not transactional here: a lock that ends with the connection does what a transaction would. */
async function withLock<R>(db: AnyKysely, work: (db: AnyKysely) => Promise<R>): Promise<R> {
  const { rows } = await sql<{ taken: number | null }>`
    select get_lock(${SYNC_LOCK}, ${sql.lit(SYNC_LOCK_SECONDS)}) as taken`.execute(db)
  if (Number(rows[0]?.taken) !== 1) {
    throw new WfError('WF_DB_UNAVAILABLE', 'Another process has been changing the schema for long.')
  }
  try {
    return await work(db)
  } finally {
    await sql`select release_lock(${SYNC_LOCK})`.execute(db)
  }
}
