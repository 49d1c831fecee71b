import { createRequire } from 'node:module'
import { loadDriver } from '../load-driver'
import type { SqliteDatabase } from './sqlite-database'

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => SqliteDatabase
  readonly StatementSync?: { readonly prototype: object }
}

/** Opens a file with Node's own SQLite where it is there and complete, else with the package. */
export function openSqliteFile(path: string): SqliteDatabase {
  const { DatabaseSync } = builtinSqlite() ?? loadDriver<SqliteModule>('@photostructure/sqlite')
  return new DatabaseSync(path)
}

function builtinSqlite(): SqliteModule | undefined {
  try {
    const builtin = createRequire(import.meta.url)('node:sqlite') as SqliteModule
    // Its first versions cannot tell which statements give rows.
    return builtin.StatementSync && 'columns' in builtin.StatementSync.prototype
      ? builtin
      : undefined
  } catch {
    return undefined
  }
}
