/** Work that would hold up everyone else. */
export class TooMuchEffort extends Error {
  override readonly name = 'TooMuchEffort'
}

/** About as long as reading a body of the largest size takes, and far more than a form needs. */
const MOST_STEPS = 2_000_000

/** The work that one request may cause: a step is a state of a pattern that looks at a character. */
export class Effort {
  #left = MOST_STEPS

  /** @throws TooMuchEffort */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new TooMuchEffort('The request takes too much work.')
  }
}
