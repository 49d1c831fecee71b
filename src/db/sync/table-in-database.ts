import type { TableIndex } from '../schema/table-schema'

export interface ColumnInDatabase {
  readonly name: string
  /** Spelled as `DbEngine.columnType` spells it. */
  readonly type: string
  readonly nullable: boolean
  readonly hasDefault: boolean
}

/** A table as the database describes it. */
export interface TableInDatabase {
  readonly columns: readonly ColumnInDatabase[]
  readonly primaryKey: readonly string[]
  /** Without that of the primary key. */
  readonly indexes: readonly TableIndex[]
}
