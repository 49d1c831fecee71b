import { WfError } from '../../errors'
import {
  type Clock,
  sha256,
  systemClock,
  type WfLedger,
  type WfLedgerEntry,
  type WfLedgerKind,
} from '../../state'
import { isExpired } from '../rows/expiry'
import { sweepLedger, type WfLedgerCleanupOptions } from './sweep-ledger'
import type { WfLedgerTable } from './wf-ledger-table'

/** Options of {@link AsWfLedger}. */
export interface AsWfLedgerOptions {
  /** The table whose row extends `AsWfLedgerRecord`. */
  readonly table: WfLedgerTable
  /**
   * Decides what has expired. Of several processes, the clocks must agree.
   *
   * @default the machine's
   */
  readonly clock?: Clock | undefined
}

const TABLE_METHODS = [
  'findOne',
  'findMany',
  'count',
  'deleteMany',
  'updateMany',
  'upsertOne',
] as const

/** The second always does, unless entries that have expired for this process keep coming in. */
const ROUNDS = 5

/**
 * A ledger in a database, for any number of processes. Each fact is one row under a hash of its key,
 * and whatever decides is one statement. A database that cannot answer is an error, never "not spent".
 *
 * @example
 * ```ts
 * import { AsWfLedger } from '@atscript/moost-wf'
 * import { openSqlite } from '@atscript/moost-wf/db/sqlite'
 * import { WfLedgerRow } from './schemas/WfLedgerRow.as'
 *
 * const space = openSqlite('app.db')
 * const ledger = new AsWfLedger({ table: space.table(WfLedgerRow) })
 * await space.sync()
 * const first = await ledger.spend('code', 'ada:123456') // true
 * const again = await ledger.spend('code', 'ada:123456') // false
 * ```
 */
export class AsWfLedger implements WfLedger {
  readonly #table: WfLedgerTable
  readonly #clock: Clock

  /** @throws WfError `WF_CONFIG` */
  constructor({ table, clock = systemClock }: AsWfLedgerOptions) {
    if (!TABLE_METHODS.every(method => typeof table?.[method] === 'function')) {
      throw new WfError('WF_CONFIG', `AsWfLedger: table has ${TABLE_METHODS.join(', ')}.`)
    }
    if (typeof clock.now !== 'function') {
      throw new WfError('WF_CONFIG', 'AsWfLedger: clock has a now().')
    }
    this.#table = table
    this.#clock = clock
  }

  /**
   * The same ledger within a transaction of the same database, such as `useWfTransaction()` gives: what is
   * noted is committed with it, or not at all.
   *
   * @throws WfError `WF_CONFIG` for what is none
   */
  within(transaction: object): AsWfLedger {
    const { table } = transaction as { table?: (type: unknown) => WfLedgerTable }
    if (typeof table === 'function' && this.#table.type !== undefined) {
      return new AsWfLedger({ table: table(this.#table.type), clock: this.#clock })
    }
    throw new WfError('WF_CONFIG', 'A transaction is what space.transaction() gives.')
  }

  async spend(kind: WfLedgerKind, key: string, expiresAt?: number): Promise<boolean> {
    return (await this.increment(kind, key, expiresAt)) === 1
  }

  async restore(kind: WfLedgerKind, key: string): Promise<void> {
    await this.#table.deleteMany({ key: await hashOf(kind, key) })
  }

  async increment(kind: WfLedgerKind, key: string, expiresAt?: number): Promise<number> {
    // One moment for the whole operation, so that what it writes cannot expire while it is at it.
    const now = this.#now()
    const entry = { key: await hashOf(kind, key), kind, count: 1, expiresAt: toMoment(expiresAt) }
    for (let round = 1; round <= ROUNDS; round++) {
      const counted = await this.#table.upsertOne(entry, {
        conflict: ['key'],
        insertOnly: ['kind', 'expiresAt'],
        increment: ['count'],
        returning: ['count', 'expiresAt'],
      })
      if (!isExpired(counted, now)) return counted.count
      // Of all who meet an expired entry, one begins the next. The condition keeps a late one of them
      // from removing that.
      await this.#table.deleteMany({ key: entry.key, expiresAt: { $lte: now } })
      if (isExpired(entry, now)) return 1
    }
    throw new WfError('WF_CONFLICT', 'A ledger entry keeps expiring: do the clocks disagree?')
  }

  async put(kind: WfLedgerKind, key: string, data: string, expiresAt?: number): Promise<void> {
    const entry = { kind, count: 0, data, expiresAt: toMoment(expiresAt) }
    await this.#table.upsertOne({ key: await hashOf(kind, key), ...entry }, { conflict: ['key'] })
  }

  async get(kind: WfLedgerKind, key: string): Promise<WfLedgerEntry | null> {
    const row = await this.#table.findOne({ filter: { key: await hashOf(kind, key) } })
    if (!row || isExpired(row, this.#now())) return null
    const { count, data, expiresAt } = row
    return { count, data: data ?? undefined, expiresAt: expiresAt ?? undefined }
  }

  async extend(kind: WfLedgerKind, key: string, expiresAt: number): Promise<boolean> {
    const alive = [{ expiresAt: null }, { expiresAt: { $gt: this.#now() } }]
    const { matchedCount } = await this.#table.updateMany(
      { key: await hashOf(kind, key), $or: alive },
      { expiresAt: toMoment(expiresAt) },
    )
    return matchedCount > 0
  }

  /**
   * Removes what has expired, in batches, and returns how many entries that were. Never removes a
   * live one; may run on many nodes at once, and at any time.
   */
  async cleanup(options: WfLedgerCleanupOptions = {}): Promise<number> {
    return sweepLedger(this.#table, this.#now(), options)
  }

  /** Whole, because the column is; what ends by a whole number has ended at `now` as well. */
  #now(): number {
    return Math.floor(this.#clock.now())
  }
}

/** JSON keeps ("a", "b,c") and ("a,b", "c") apart, and every character of a key. */
function hashOf(kind: WfLedgerKind, key: string): string | Promise<string> {
  return sha256(JSON.stringify([kind, key]))
}

/**
 * An end as it is stored: never forgotten early, so rounded up. `null` is written too, so that a note without
 * an end loses an older one.
 */
function toMoment(expiresAt: number | undefined): number | null {
  return expiresAt === undefined || expiresAt === Infinity ? null : Math.ceil(expiresAt)
}
