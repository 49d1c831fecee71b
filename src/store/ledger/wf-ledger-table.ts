/** A row of a ledger. */
export interface WfStoredLedgerRow {
  readonly key: string
  readonly kind: string
  readonly count: number
  readonly data?: string | null | undefined
  readonly expiresAt?: number | null | undefined
}

/** Which rows of a ledger. */
export interface WfLedgerFilter {
  readonly key?: string | { readonly $in: readonly string[] }
  readonly expiresAt?: { readonly $lte: number } | { readonly $gt: number } | null
  readonly $or?: readonly WfLedgerFilter[]
}

/** Which keys, and how many of them. */
export interface WfLedgerKeyQuery {
  readonly filter: WfLedgerFilter
  readonly controls: {
    readonly $select: readonly 'key'[]
    readonly $sort: { readonly expiresAt: 1 }
    readonly $limit: number
  }
}

/** How an entry is written that may be there. */
export interface WfLedgerUpsert {
  readonly conflict: readonly 'key'[]
  readonly insertOnly?: readonly ('kind' | 'expiresAt')[] | undefined
  readonly increment?: readonly 'count'[] | undefined
  readonly returning?: readonly ('count' | 'expiresAt')[] | undefined
}

/**
 * The table that {@link AsWfLedger} stands on: that of `@atscript/moost-wf/db`, or any other whose
 * `upsertOne` is atomic and gives back the columns in `returning` as they are after it.
 */
export interface WfLedgerTable {
  /** The interface that describes it, to find the table within a transaction by. */
  readonly type?: unknown
  findOne(query: { readonly filter: WfLedgerFilter }): Promise<WfStoredLedgerRow | null>
  findMany(query: WfLedgerKeyQuery): Promise<Pick<WfStoredLedgerRow, 'key'>[]>
  count(query: { readonly filter: WfLedgerFilter }): Promise<number>
  deleteMany(filter: WfLedgerFilter): Promise<{ readonly deletedCount: number }>
  updateMany(
    filter: WfLedgerFilter,
    patch: Pick<WfStoredLedgerRow, 'expiresAt'>,
  ): Promise<{ readonly matchedCount: number }>
  upsertOne(
    row: WfStoredLedgerRow,
    options: WfLedgerUpsert,
  ): Promise<Pick<WfStoredLedgerRow, 'count' | 'expiresAt'>>
}
