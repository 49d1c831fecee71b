import type { FakeClock } from '@atscript/moost-wf/testing'
import type { DueOutcome, DueSource } from '../../src/worker'

interface Errand {
  readonly id: string
  dueAt: number
}

/** Things that become due, where any number of workers see them and one gets each. */
export class Errands implements DueSource {
  readonly all: Errand[] = []
  /** In the order in which they were begun. */
  readonly begun: string[] = []
  /** How often it was looked for what is due, and for what will be. */
  looks = 0
  /** What is found, and is another's by the time it is wanted. */
  lost = 0

  constructor(
    readonly clock: FakeClock,
    readonly kind = 'errand',
    /** What one is. */
    readonly run: DueSource['attend'] = async () => 'done',
  ) {}

  add(...errands: readonly Errand[]): void {
    this.all.push(...errands)
  }

  async due(limit: number) {
    this.looks++
    const now = this.clock.now()
    return this.all
      .filter(({ dueAt }) => dueAt <= now)
      .toSorted((one, other) => one.dueAt - other.dueAt)
      .slice(0, limit)
      .map(errand => ({ ...errand }))
  }

  async nextAt(withinMs: number) {
    this.looks++
    const next = Math.min(...this.all.map(({ dueAt }) => dueAt))
    return next <= this.clock.now() + withinMs ? next : undefined
  }

  async attend(id: string, term: Parameters<DueSource['attend']>[1]): Promise<DueOutcome> {
    // As a claim is sent to a database.
    await new Promise(resolve => setImmediate(resolve))
    const errand = this.all.find(other => other.id === id && other.dueAt <= this.clock.now())
    if (!errand) {
      this.lost++
      return 'taken'
    }
    errand.dueAt = Infinity
    this.begun.push(id)
    return this.run(id, term)
  }
}
