export { openSqlite, type OpenSqliteOptions } from './open-sqlite'
export type { SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite-database'
