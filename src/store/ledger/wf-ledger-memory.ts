import {
  type Clock,
  systemClock,
  type WfLedger,
  type WfLedgerEntry,
  type WfLedgerKind,
} from '../../state'

import { ExpiringMap } from '../expiring-map'

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
  readonly #entries: ExpiringMap<WfLedgerEntry>

  constructor({ clock = systemClock }: { readonly clock?: Clock | undefined } = {}) {
    this.#entries = new ExpiringMap(clock)
  }

  async spend(kind: WfLedgerKind, key: string, expiresAt?: number): Promise<boolean> {
    return (await this.increment(kind, key, expiresAt)) === 1
  }

  async restore(kind: WfLedgerKind, key: string): Promise<void> {
    this.#entries.delete(address(kind, key))
  }

  async increment(kind: WfLedgerKind, key: string, expiresAt?: number): Promise<number> {
    const at = address(kind, key)
    const entry = this.#entries.get(at) ?? { count: 0, expiresAt }
    const count = entry.count + 1
    this.#entries.set(at, { ...entry, count })
    return count
  }

  async put(kind: WfLedgerKind, key: string, data: string, expiresAt?: number): Promise<void> {
    this.#entries.set(address(kind, key), { count: 0, data, expiresAt })
  }

  async get(kind: WfLedgerKind, key: string): Promise<WfLedgerEntry | null> {
    const entry = this.#entries.get(address(kind, key))
    return entry ? { ...entry } : null
  }

  async extend(kind: WfLedgerKind, key: string, expiresAt: number): Promise<boolean> {
    const at = address(kind, key)
    const entry = this.#entries.get(at)
    if (entry) this.#entries.set(at, { ...entry, expiresAt })
    return entry !== undefined
  }

  async cleanup(): Promise<number> {
    return this.#entries.sweep()
  }
}

// The length keeps ("a", "b:c") and ("a:b", "c") apart.
function address(kind: WfLedgerKind, key: string): string {
  return `${kind.length}:${kind}:${key}`
}
