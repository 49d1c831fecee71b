/** Who asks for a turn, by the two things that attackers have one or many of. */
export interface Asker {
  /** What is counted of the address that the request came from. */
  readonly address: string
  /** The account that it is about, whether or not there is one. */
  readonly account: string
}

/**
 * Tells who is next: whoever has had the fewest turns, counted by address and by account, the larger
 * of the two first. One address that tries many accounts is behind everybody else then, and so are
 * many addresses that try one account.
 */
export class FairOrder {
  /** By address and by account, of those who are here. */
  readonly #turns = new Map<string, number>()
  /** How many turns those have who come new, or else they would always go first. */
  #now = 0

  arrive(asker: Asker): void {
    for (const key of keysOf(asker)) this.#turns.set(key, this.#of(key))
  }

  /** Of those who are equal, the first. */
  next<A extends Asker>(waiting: readonly A[]): A | undefined {
    return waiting.reduce<A | undefined>(
      (first, one) => (first && !this.#isBefore(one, first) ? first : one),
      undefined,
    )
  }

  /** Somebody has a turn now. */
  count(asker: Asker): void {
    const [most] = this.#rank(asker)
    this.#now = Math.max(this.#now, most)
    for (const key of keysOf(asker)) this.#turns.set(key, Math.max(this.#now, this.#of(key)) + 1)
    // A round has one turn for each, so a turn is the smaller a part of a round the more there are.
    this.#now += 1 / this.#turns.size
  }

  /** Forgets all others, so that this grows no larger than the waiting room. */
  keep(present: readonly Asker[]): void {
    const keys = new Set(present.flatMap(keysOf))
    for (const key of this.#turns.keys()) if (!keys.has(key)) this.#turns.delete(key)
  }

  #isBefore(one: Asker, other: Asker): boolean {
    const [most, sum] = this.#rank(one)
    const [otherMost, otherSum] = this.#rank(other)
    return most === otherMost ? sum < otherSum : most < otherMost
  }

  #rank(asker: Asker): [most: number, sum: number] {
    const [address, account] = keysOf(asker).map(key => this.#of(key)) as [number, number]
    return [Math.max(address, account), address + account]
  }

  #of(key: string): number {
    return this.#turns.get(key) ?? this.#now
  }
}

const keysOf = ({ address, account }: Asker) => [`address ${address}`, `account ${account}`]
