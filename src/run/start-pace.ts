import { sleep } from '../state'

/** How many starts of a workflow are remembered, and of how many workflows. */
const MOST_STARTS = 20
const MOST_WORKFLOWS = 1000
const LONGEST_MS = 10_000

/** How long the starts of workflows take, so that what only looks like one takes as long. */
export class StartPace {
  readonly #tookMs = new Map<string, number[]>()

  note(wfid: string, tookMs: number): void {
    const known = this.#tookMs.get(wfid) ?? []
    known.push(tookMs)
    if (known.length > MOST_STARTS) known.shift()
    if (this.#tookMs.size < MOST_WORKFLOWS) this.#tookMs.set(wfid, known)
  }

  /**
   * Waits until a start would have been answered that began then.
   *
   * @param leastMs how long one has taken elsewhere
   */
  async keep(wfid: string, beganAt: number, leastMs: number): Promise<void> {
    const known = this.#tookMs.get(wfid) ?? []
    const likely = known[Math.floor(Math.random() * known.length)] ?? leastMs
    const left = beganAt + Math.min(likely, LONGEST_MS) - performance.now()
    if (left > 0) await sleep(left)
  }
}
