/** What the store reads of a field of a compiled `.as` interface. */
export interface WfTableField {
  readonly optional?: boolean | undefined
  readonly type: {
    readonly kind: string
    readonly designType?: string | undefined
    /** Of a literal. */
    readonly value?: unknown
    readonly tags?: { has(tag: string): boolean } | undefined
    readonly items?: readonly WfTableField[] | undefined
  }
  readonly metadata: { get(key: string): unknown }
}

/** What the store reads of the interface that describes its table. */
export interface WfTableType {
  readonly type: {
    readonly kind: string
    readonly props?: ReadonlyMap<string, WfTableField> | undefined
  }
}

/** Which rows to find. */
export interface WfTableQuery {
  readonly filter: object
  readonly controls?: object | undefined
}

/** A value of a column, and how many rows have it. */
export interface WfCount<Value = unknown> {
  readonly value: Value
  readonly count: number
  /** The smallest value of another column among them, where that was asked for. */
  readonly least?: unknown
}

/** A statement, to be shown. */
export interface WfSql {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** How to write a row that may be there. */
export interface WfTableUpsert {
  readonly conflict: readonly string[]
  readonly insertOnly?: readonly string[] | undefined
  readonly increment?: readonly string[] | undefined
}

/**
 * The table that {@link AsWfStore} stands on: that of `@atscript/moost-wf/db`, or any other with
 * the operations of `AtscriptDbTable` of `@atscript/db`. The optional ones save statements.
 *
 * `Row` is what the table gives out, where it says so.
 */
export interface WfTable<Row extends object = object> {
  readonly type: WfTableType
  findOne(query: WfTableQuery): Promise<object | null>
  findMany(query: WfTableQuery): Promise<object[]>
  insertOne(row: object): Promise<unknown>
  updateMany(filter: object, patch: object): Promise<{ readonly matchedCount: number }>
  deleteMany(filter: object): Promise<{ readonly deletedCount: number }>

  /** Writes a row that may be there, atomically. */
  upsertOne?(row: object, options: WfTableUpsert): Promise<unknown>
  /** Deletes a row and gives it to exactly one caller. */
  takeOne?(filter: object): Promise<Row | null>
  /** A row, and the row of another table whose id it names. `null` unless both are there. */
  findOneWith?(
    filter: object,
    column: string,
    other: WfTable,
  ): Promise<readonly [object, object] | null>
  count?(query: WfTableQuery): Promise<number>
  /** How many rows have each value of a column. */
  countBy?(
    column: string,
    options: {
      readonly filter: object
      readonly limit?: number | undefined
      readonly every?: number | undefined
      readonly least?: string | undefined
    },
  ): Promise<readonly WfCount[]>
  /** What `findMany` or `count` would run. */
  toSql?(operation: 'findMany' | 'count', query: WfTableQuery): WfSql
  /** Whether one of these rows keeps the id of a commit. */
  hasCommit?(commitId: string, filter: object): Promise<boolean>
  /** `false` where `transaction` is there and always throws. */
  readonly hasTransactions?: boolean | undefined
  transaction?<R>(work: (table: WfTable) => Promise<R>): Promise<R>
  /** Whether a column takes a value as it is. */
  fits?(column: string, value: unknown): boolean
}
