/** What a ledger entry is about: `spent-token`, `attempts` and so on. Keeps equal keys apart. */
export type WfLedgerKind = string

/** A fact, as it is noted. */
export interface WfLedgerEntry {
  readonly count: number
  readonly data?: string
  readonly expiresAt?: number
}

/**
 * Small facts that must hold for all requests at once: spent token ids, revoked flows, attempt
 * counters. Every operation is atomic. An expired entry is as good as none.
 */
export interface WfLedger {
  /** `true` for exactly one caller, until the entry expires or is restored. */
  spend(kind: WfLedgerKind, key: string, expiresAt?: number): Promise<boolean>
  /** Takes a `spend` back. */
  restore(kind: WfLedgerKind, key: string): Promise<void>
  /**
   * Adds one and returns the count. The first call of a period sets when it ends; later ones do not
   * extend it.
   */
  increment(kind: WfLedgerKind, key: string, expiresAt?: number): Promise<number>
  /** Writes or overwrites a note. */
  put(kind: WfLedgerKind, key: string, data: string, expiresAt?: number): Promise<void>
  get(kind: WfLedgerKind, key: string): Promise<WfLedgerEntry | null>
}
