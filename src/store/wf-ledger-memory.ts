import {
  type Clock,
  systemClock,
  type WfLedger,
  type WfLedgerEntry,
  type WfLedgerKind,
} from '../state'

const SWEEP_EVERY = 1000

/**
 * A ledger in this process. Its facts end with the process: behind several processes, or for
 * attempt limits that must survive a restart, use a ledger in a database.
 *
 * @example
 * ```ts
 * import { WfLedgerMemory } from '@atscript/moost-wf'
 *
 * const ledger = new WfLedgerMemory()
 * const first = await ledger.spend('code', 'ada:123456') // true
 * const again = await ledger.spend('code', 'ada:123456') // false
 * ```
 */
export class WfLedgerMemory implements WfLedger {
  readonly #clock: Clock
  readonly #entries = new Map<string, WfLedgerEntry>()
  #sweepAt = SWEEP_EVERY

  constructor(options: { readonly clock?: Clock } = {}) {
    this.#clock = options.clock ?? systemClock
  }

  async spend(kind: WfLedgerKind, key: string, expiresAt?: number): Promise<boolean> {
    if (this.#live(kind, key)) return false
    this.#write(kind, key, { count: 1, expiresAt })
    return true
  }

  async restore(kind: WfLedgerKind, key: string): Promise<void> {
    this.#entries.delete(address(kind, key))
  }

  async increment(kind: WfLedgerKind, key: string, expiresAt?: number): Promise<number> {
    const entry = this.#live(kind, key) ?? { count: 0, expiresAt }
    const count = entry.count + 1
    this.#write(kind, key, { ...entry, count })
    return count
  }

  async put(kind: WfLedgerKind, key: string, data: string, expiresAt?: number): Promise<void> {
    this.#write(kind, key, { count: 0, data, expiresAt })
  }

  async get(kind: WfLedgerKind, key: string): Promise<WfLedgerEntry | null> {
    const entry = this.#live(kind, key)
    return entry ? { ...entry } : null
  }

  #live(kind: WfLedgerKind, key: string): WfLedgerEntry | undefined {
    const entry = this.#entries.get(address(kind, key))
    return entry && !this.#isExpired(entry) ? entry : undefined
  }

  #write(kind: WfLedgerKind, key: string, entry: WfLedgerEntry): void {
    this.#entries.set(address(kind, key), entry)
    if (this.#entries.size < this.#sweepAt) return
    for (const [at, old] of this.#entries) {
      if (this.#isExpired(old)) this.#entries.delete(at)
    }
    this.#sweepAt = this.#entries.size + SWEEP_EVERY
  }

  #isExpired({ expiresAt }: WfLedgerEntry): boolean {
    return expiresAt !== undefined && expiresAt <= this.#clock.now()
  }
}

// The length keeps ("a", "b:c") and ("a:b", "c") apart.
function address(kind: WfLedgerKind, key: string): string {
  return `${kind.length}:${kind}:${key}`
}
