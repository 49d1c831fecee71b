import {
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Clock } from '../../state'
import type { DbEngine } from '../db-engine'
import type { ColumnKind } from '../schema/column'
import { inspectSqlite } from './inspect-sqlite'
import { packValues } from './pack-values'

const TYPES: Readonly<Record<ColumnKind, string>> = {
  string: 'text',
  json: 'text',
  number: 'real',
  integer: 'integer',
  boolean: 'integer',
}

/** Of one moment within a statement. */
const NOW = "cast(round((julianday('now') - 2440587.5) * 86400000) as integer)"

/** How SQLite is spoken to, whoever runs it. */
export const sqliteLanguage = (driver: Driver, clock: Clock | undefined) =>
  ({
    dialect: sqliteDialect(driver),
    traits: async () => ({ returning: true }),
    upsert: 'on conflict',
    updateReturning: true,
    sortsNullsFirst: true,
    sparseIndexes: true,
    now: clock ? '0' : NOW,
    clock,
    packValues,
    columnType: ({ kind }) => TYPES[kind],
    // Values of another type are refused, whoever writes them. Rows that belong together by the first
    // column of their key lie together, and are written in one place instead of two.
    tableSuffix: ({ primaryKey }) => (primaryKey.length > 1 ? 'strict, without rowid' : 'strict'),
    inspect: inspectSqlite,
  }) satisfies Partial<DbEngine>

const sqliteDialect = (driver: Driver): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => driver,
  createIntrospector: db => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})
