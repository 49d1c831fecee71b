import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Clock } from '../../state'
import type { DbEngine } from '../db-engine'
import type { ColumnKind } from '../schema/column'
import { commitAtOnce } from './commit-at-once'
import { inspectSqlite } from './inspect-sqlite'
import { packValues } from './pack-values'
import type { SqliteDriver } from './sqlite-driver'
import { sqliteFailure } from './sqlite-failure'

const TYPES: Readonly<Record<ColumnKind, string>> = {
  string: 'text',
  json: 'text',
  number: 'real',
  integer: 'integer',
  boolean: 'integer',
}

/** Of one moment within a statement. */
const NOW = "cast(round((julianday('now') - 2440587.5) * 86400000) as integer)"

/** What is special about SQLite. */
export function sqliteEngine(driver: SqliteDriver, clock?: Clock): DbEngine {
  return {
    name: 'sqlite',
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: db => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    traits: async () => ({ returning: true }),
    upsert: 'on conflict',
    updateReturning: true,
    commit: commitAtOnce(driver),
    sortsNullsFirst: true,
    now: clock ? '0' : NOW,
    clock,
    maxParameters: 32_766,
    packValues,
    execute: (sql, values) => driver.execute(sql, values),
    failureOf: sqliteFailure,
    keepPrepared: sql => driver.connection.kept.add(sql),
    close: () => driver.destroy(),
    columnType: ({ kind }) => TYPES[kind],
    // Values of another type are refused, whoever writes them. Rows that belong together by the first
    // column of their key lie together, and are written in one place instead of two.
    tableSuffix: ({ primaryKey }) => (primaryKey.length > 1 ? 'strict, without rowid' : 'strict'),
    exclusively: (db, work) => db.transaction().execute(work),
    inspect: inspectSqlite,
  }
}
