import { PostgresDialect, sql } from 'kysely'
import type { Clock } from '../../state'
import type { DbEngine } from '../db-engine'
import { DbSpace } from '../db-space'
import { checkUrl } from '../check-url'
import { loadDriver } from '../load-driver'
import { columnType } from './column-types'
import { commitsTogether } from './commits-together'
import { inspectPostgres } from './inspect-postgres'
import { postgresFailure } from './postgres-failure'
import type { PgPool } from './postgres-pool'
import { PreparedPool } from './prepared-pool'

/** How to open a PostgreSQL database. */
export interface OpenPostgresOptions {
  /**
   * How many connections to hold at most. Of a pool that is handed over, its own setting counts.
   *
   * @default 10
   */
  readonly maxConnections?: number | undefined
  /**
   * Whether the server keeps statements prepared. Turn it off behind a pooler that does not know them.
   *
   * @default true
   */
  readonly preparedStatements?: boolean | undefined
  /**
   * How long a statement may take before it fails, in milliseconds. Of a pool that is handed over,
   * its own setting counts.
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

/** Any number that no one else uses for an advisory lock. */
const SYNC_LOCK = 7_205_171_204

/** How long to wait for a free connection, or for a server to answer at all. */
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Opens a PostgreSQL database by its URL, or on a pool of the package pg.
 *
 * @throws WfError `WF_CONFIG` when pg is not installed, or the address is no URL of PostgreSQL
 * @example
 * ```ts
 * import { openPostgres } from '@atscript/moost-wf/db/postgres'
 *
 * const space = openPostgres('postgres://user:password@localhost:5432/app')
 * ```
 */
export function openPostgres(
  urlOrPool: string | PgPool,
  options: OpenPostgresOptions = {},
): DbSpace {
  const { maxConnections = 10, preparedStatements = true, timeoutMs = 30_000, clock } = options
  const pool =
    typeof urlOrPool === 'string' ? createPool(urlOrPool, maxConnections, timeoutMs) : urlOrPool
  // An idle connection that breaks is replaced when it is needed. Unheard, it would end the process.
  pool.on('error', () => {})
  return new DbSpace(postgresEngine(new PreparedPool(pool, preparedStatements), clock))
}

function createPool(url: string, maxConnections: number, timeoutMs: number): PgPool {
  const { Pool } = loadDriver<{ Pool: new (options: object) => PgPool }>('pg')
  return new Pool({
    connectionString: checkUrl(url, /^postgres(?:ql)?:$/u),
    max: maxConnections,
    query_timeout: timeoutMs,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
}

/** The moment itself: that of a transaction is older, and so is that of a statement that had to wait. */
const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint'

function postgresEngine(pool: PreparedPool, clock: Clock | undefined): DbEngine {
  return {
    name: 'postgres',
    dialect: new PostgresDialect({ pool }),
    traits: async () => ({ returning: true }),
    upsert: 'on conflict',
    updateReturning: true,
    commit: commitsTogether(),
    positionFunction: 'strpos',
    sortsNullsFirst: false,
    sparseIndexes: true,
    now: clock ? '0::bigint' : NOW,
    nowOfSearch: clock ? undefined : `(select ${NOW})`,
    clock,
    maxParameters: 65_535,
    execute: (sql, values) => pool.execute(sql, values),
    failureOf: postgresFailure,
    keepPrepared: sql => pool.kept.add(sql),
    close: () => pool.end(),
    columnType,
    exclusively: (db, work) =>
      // Each statement must see what the former holder of the lock has committed.
      db
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async transaction => {
          await sql`select pg_advisory_xact_lock(${sql.lit(SYNC_LOCK)})`.execute(transaction)
          return work(transaction)
        }),
    inspect: inspectPostgres,
  }
}
