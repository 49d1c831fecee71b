/** What a ledger entry is about: `spent-token`, `attempts` and so on. Keeps equal keys apart. */
export type WfLedgerKind = string

/** A fact, as it is noted. */
export interface WfLedgerEntry {
  readonly count: number
  readonly data?: string | undefined
  readonly expiresAt?: number | undefined
}

/**
 * Small facts that must hold for all requests at once: spent token ids, revoked flows, attempt
 * counters. Every operation is atomic. An expired entry is as good as none, from the very moment.
 */
export interface WfLedger {
  /**
   * `true` for exactly one caller, until the entry expires or is restored: the one whose `increment`
   * makes the count 1.
   */
  spend(kind: WfLedgerKind, key: string, expiresAt?: number): Promise<boolean>
  /** Takes a `spend` back by forgetting the entry. For the one who spent it, before it expires. */
  restore(kind: WfLedgerKind, key: string): Promise<void>
  /**
   * Adds one and returns the count. The first call of a period sets when it ends; later ones do not
   * extend it.
   */
  increment(kind: WfLedgerKind, key: string, expiresAt?: number): Promise<number>
  /** Writes or overwrites a note, whose count is 0. */
  put(kind: WfLedgerKind, key: string, data: string, expiresAt?: number): Promise<void>
  get(kind: WfLedgerKind, key: string): Promise<WfLedgerEntry | null>
  /**
   * Moves the end of an entry that is alive, and changes nothing else. `false` if there is none: an
   * entry that has expired does not come back. Without it, marks of requests that died with their
   * process last as long as answers are kept.
   */
  extend?(kind: WfLedgerKind, key: string, expiresAt: number): Promise<boolean>
  /** Removes what has expired and returns how many. Not needed for an entry to end, only for room. */
  cleanup?(): Promise<number>
}
