import type { Column } from './column'

/** An index over one or more columns. */
export interface TableIndex {
  /** The name in the database, which tells the indexes of all tables apart. */
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  /** Rows without a value in its one column are left out, where the database can do that. */
  readonly sparse: boolean
}

/** A table, read from a `.as` interface. */
export interface TableSchema {
  readonly name: string
  /** The columns that `@meta.id` marks. */
  readonly primaryKey: readonly string[]
  readonly columns: ReadonlyMap<string, Column>
  readonly indexes: readonly TableIndex[]
  /** The sets of columns that tell rows apart: the primary key, and those of unique indexes. */
  readonly uniqueKeys: readonly (readonly string[])[]
}
