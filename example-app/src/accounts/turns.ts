import { slowDown } from '../api/slow-down'
import { type Asker, FairOrder } from './fair-order'

/** How many work and wait at a time. */
export interface TurnsOptions {
  readonly atOnce: number
  readonly waitingPerAddress: number
  readonly waitingPerAccount: number
  readonly waitingInAll: number
}

interface Place extends Asker {
  /** Ends the waiting: with a turn, or without one. */
  settle(hasTurn: boolean): void
}

const COME_BACK_MS = 5000

/**
 * Lets a few work at once, makes some wait, and sends the rest away without delay. The order is fair,
 * and so is who must go: those who have the most others with them, of the same address and account.
 */
export class Turns {
  readonly #options: TurnsOptions
  readonly #order = new FairOrder()
  readonly #working = new Set<Asker>()
  /** As they came. */
  #waiting: Place[] = []

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  /** @throws HttpError 429 for whoever is sent away */
  async run<T>({ address, account }: Asker, work: () => Promise<T>): Promise<T> {
    const asker = { address, account }
    if (this.#working.size < this.#options.atOnce) this.#begin(asker)
    else if (!(await this.#wait(asker))) throw tooCrowded()
    try {
      return await work()
    } finally {
      this.#working.delete(asker)
      this.#callNext()
    }
  }

  #begin(asker: Asker): void {
    this.#working.add(asker)
    this.#order.count(asker)
  }

  #wait(asker: Asker): Promise<boolean> {
    return new Promise(settle => {
      const place = Object.assign(asker, { settle })
      this.#waiting.push(place)
      const crowd = this.#crowdAround(place)
      const leaving = crowd && this.#leave(this.#mostAccompanied(crowd))
      leaving?.settle(false)
      if (leaving !== place) this.#order.arrive(place)
    })
  }

  #callNext(): void {
    const next = this.#order.next(this.#waiting)
    if (next) {
      this.#begin(this.#leave(next))
      next.settle(true)
    }
    this.#order.keep([...this.#working, ...this.#waiting])
  }

  #leave(place: Place): Place {
    this.#waiting = this.#waiting.filter(other => other !== place)
    return place
  }

  /** Those who are too many since this one has come. */
  #crowdAround(asker: Asker): readonly Place[] | undefined {
    const { waitingPerAddress, waitingPerAccount, waitingInAll } = this.#options
    const sameAddress = this.#waiting.filter(({ address }) => address === asker.address)
    if (sameAddress.length > waitingPerAddress) return sameAddress
    const sameAccount = this.#waiting.filter(({ account }) => account === asker.account)
    if (sameAccount.length > waitingPerAccount) return sameAccount
    return this.#waiting.length > waitingInAll ? this.#waiting : undefined
  }

  /** Of several the last, who has waited the least. */
  #mostAccompanied(crowd: readonly Place[]): Place {
    const company = ({ address, account }: Asker) =>
      this.#waiting.filter(other => other.address === address).length +
      this.#waiting.filter(other => other.account === account).length
    return crowd.reduce((most, one) => (company(one) >= company(most) ? one : most))
  }
}

function tooCrowded() {
  return slowDown('There is too much going on. Please try again in a moment.', COME_BACK_MS)
}
