import type { Asker } from './fair-order'
import { hashPassword, isPassword, nobodysHash } from './password-hash'
import { Turns } from './turns'

/** What can be done with a password, by whoever has a turn. */
export interface Hasher {
  /** A hash of a password with all that is needed to check it. */
  hash(password: string): Promise<string>
  /** Whether a password is the one that was hashed; without a hash it is not, and takes as long. */
  isRight(password: string, stored: string | undefined): Promise<boolean>
}

const HASHER: Hasher = { hash: hashPassword, isRight: isPassword }

/** Gives turns at hashing, which is slow on purpose and runs on few threads, which others need too. */
export class Passwords {
  readonly #turns = new Turns({
    atOnce: 2,
    // An office behind one address may come to work at the same time.
    waitingPerAddress: 20,
    waitingPerAccount: 10,
    waitingInAll: 60,
  })

  async open(): Promise<void> {
    await nobodysHash()
  }

  /** @throws HttpError 429 when too many wait already, before any of the work is done */
  inTurn<T>(asker: Asker, work: (hasher: Hasher) => Promise<T>): Promise<T> {
    return this.#turns.run(asker, () => work(HASHER))
  }
}
