/** What the table layer reads of a field of a compiled `.as` interface. */
export interface DbFieldType {
  readonly type: DbFieldShape
  readonly metadata: DbMetadata
  readonly optional?: boolean | undefined
}

export interface DbFieldShape {
  readonly kind: string
  readonly designType?: string | undefined
  readonly items?: readonly DbFieldType[] | undefined
}

export interface DbMetadata {
  get(key: string): unknown
}

/** What the table layer reads of a compiled `.as` interface. The generated classes fit as they are. */
export interface DbTableType {
  readonly type: {
    readonly kind: string
    readonly props?: ReadonlyMap<string, DbFieldType> | undefined
  }
  readonly metadata: DbMetadata
}

/** The row that a compiled `.as` interface describes. An optional field is a column that may be null. */
export type DbRowOf<T> = T extends abstract new (...args: never[]) => infer Row
  ? WithNulls<Row>
  : DbAnyRow

// oxlint-disable-next-line typescript/no-explicit-any -- a type without a class says nothing of its columns
export type DbAnyRow = Record<string, any>

type WithNulls<Row> = {
  [Column in keyof Row]: undefined extends Row[Column] ? Row[Column] | null : Row[Column]
}
