import type { Clock } from '../state'

interface Expiring {
  readonly expiresAt?: number
}

/** Expired entries are swept when the map has grown by this many. */
const SWEEP_EVERY = 1000

/** A map whose entries end at their time. An expired one is as good as none. */
export class ExpiringMap<V extends Expiring> {
  readonly #entries = new Map<string, V>()
  readonly #clock: Clock
  #sweepAt = SWEEP_EVERY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    return entry && !this.#isExpired(entry) ? entry : undefined
  }

  /** An entry that has expired and was not swept yet. */
  getExpired(key: string): V | undefined {
    const entry = this.#entries.get(key)
    return entry && this.#isExpired(entry) ? entry : undefined
  }

  /** All that was not swept yet, expired or not. */
  entries(): IterableIterator<[key: string, entry: V]> {
    return this.#entries.entries()
  }

  set(key: string, entry: V): void {
    this.#entries.set(key, entry)
    if (this.#entries.size < this.#sweepAt) return
    this.sweep()
    this.#sweepAt = this.#entries.size + SWEEP_EVERY
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  /** Removes what has expired and returns how many. */
  sweep(): number {
    let swept = 0
    for (const [key, entry] of this.#entries) {
      if (this.#isExpired(entry) && this.#entries.delete(key)) swept++
    }
    return swept
  }

  #isExpired({ expiresAt }: V): boolean {
    return expiresAt !== undefined && expiresAt <= this.#clock.now()
  }
}
