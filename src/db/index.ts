export type {
  AnyKysely,
  BoundStatement,
  DbEngine,
  EngineTraits,
  FailureKind,
  SqlResult,
} from './db-engine'
export type { DbCommit, DbCommitResult } from './commit/db-commit'
export {
  type DbDelete,
  type DbInsert,
  type DbUpdate,
  type DbWrite,
  deleteFrom,
  insertInto,
  updateIn,
} from './commit/db-write'
export { DbSpace, type DbTransaction } from './db-space'
export type { DbMoment } from './row/db-moment'
export type { DbPatch } from './row/db-patch'
export type { DbQuery, DbStatement, DbTable, DbUpdateResult } from './db-table'
export type { DbControls } from './filter/controls'
export type { DbCountQuery } from './filter/count-query'
export type { DbComparison, DbFilter } from './filter/filter'
export { openDatabase, type OpenDatabaseOptions } from './open-database'
export type { DbCount } from './operations/count-rows'
export type { DbUpsertOptions } from './operations/upsert-plan'
export type { Column, ColumnDefault, ColumnKind } from './schema/column'
export type { TableIndex } from './schema/table-schema'
export type {
  DbAnyRow,
  DbFieldShape,
  DbFieldType,
  DbMetadata,
  DbRowOf,
  DbTableType,
} from './schema/table-type'
export type { SqlValue } from './row/sql-value'
export { migrationText } from './sync/migration-text'
export type { SyncOptions, SyncStep } from './sync/sync-step'
export type { ColumnInDatabase, TableInDatabase } from './sync/table-in-database'
