/** What a ledger entry is about: `spent-token`, `attempts` and so on. Keeps equal keys apart. */
export type WfLedgerKind = string

/** A fact, as it is noted. */
export interface WfLedgerEntry {
  /** How often it was spent or incremented; 0 for a note. */
  readonly count: number
  /** The text of a note. */
  readonly data?: string | undefined
  /** Milliseconds since the epoch; `undefined` for an entry that stays. */
  readonly expiresAt?: number | undefined
}

/**
 * Small facts that must hold for all requests at once: spent token ids, revoked flows, attempt
 * counters. Every operation is atomic. An expired entry is as good as none, from the very moment, and
 * nothing of it is taken over. A ledger that cannot answer throws.
 *
 * Kinds and keys are any text, a million characters long or empty, and are told apart byte by byte.
 * An end in the past is expired at once; one that is no whole number, or `Infinity`, is taken.
 *
 * `describeLedger` of `@atscript/moost-wf/testing` tests each of these rules.
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
  /**
   * Writes or overwrites a note, whose count is 0. A text that cannot be kept as it is, such as one
   * with NUL in it, is refused by throwing, never changed.
   */
  put(kind: WfLedgerKind, key: string, data: string, expiresAt?: number): Promise<void>
  /** What is noted, or `null`. Changes nothing. */
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
