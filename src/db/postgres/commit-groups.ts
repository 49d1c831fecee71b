import type { CarryOutCommit } from '../commit/carry-out-commit'
import type { CommitPlan } from '../commit/commit-plan'
import { isLoss } from '../commit/commit-surely'
import type { RawRow } from '../commit/commit-steps'
import { valuesOf } from '../filter/to-sql'
import type { DbSession } from '../session/db-session'
import { canGoAlong, carriedOut, commitsStatement, shapeOfMany } from './commits-in-one-statement'

/** How many statements are on their way before others wait to go together. */
const IN_FLIGHT = 2
/** A statement that takes longer waits for somebody else's row: it holds nobody up. */
const PATIENCE_MS = 25
/** How many go together at most: fewer than come at once, so that the server is busy while they are prepared. */
const MOST_AT_ONCE = 16

interface Waiting {
  readonly shape: string
  readonly row: string
  readonly session: DbSession
  readonly plan: CommitPlan
  resolve(row: RawRow | null | Promise<RawRow | null>): void
  reject(error: unknown): void
}

const DONE: RawRow = Object.freeze({})

/**
 * Lets commits that come while others are on their way go together, in one statement and one write to the
 * disk. Each is whole by itself: one that has not come through with the others is carried out alone, and
 * that tells what became of it.
 */
export class CommitGroups {
  readonly #alone: CarryOutCommit
  #waiting: Waiting[] = []
  /** When those were sent that are on their way. */
  readonly #sent = new Set<{ readonly at: number }>()
  #impatient: NodeJS.Timeout | undefined

  /** @param alone carries out one commit */
  constructor(alone: CarryOutCommit) {
    this.#alone = alone
  }

  readonly carryOut: CarryOutCommit = (session, plan) => {
    if (session.isTransaction || !canGoAlong(plan)) return this.#alone(session, plan)
    // Whoever finds nobody on the way pays for none of what others need to go together.
    if (this.#waiting.length === 0 && !this.#isFull())
      return this.#onTheWay(this.#alone(session, plan))
    return new Promise((resolve, reject) => {
      const shape = shapeOfMany(plan)
      const row = JSON.stringify(valuesOf(plan.gate.key))
      this.#waiting.push({ shape, row, session, plan, resolve, reject })
      this.#goOn()
    })
  }

  #goOn(): void {
    while (this.#waiting.length > 0 && !this.#isFull()) {
      void this.#onTheWay(this.#send(this.#nextGroup()))
    }
    if (this.#waiting.length === 0 || this.#impatient) return
    this.#impatient = setTimeout(() => {
      this.#impatient = undefined
      this.#goOn()
    }, PATIENCE_MS)
  }

  /** Counts what was sent until it is back. */
  #onTheWay<R>(sending: Promise<R>): Promise<R> {
    const sent = { at: performance.now() }
    this.#sent.add(sent)
    const isBack = () => {
      this.#sent.delete(sent)
      this.#goOn()
    }
    sending.then(isBack, isBack)
    return sending
  }

  #isFull(): boolean {
    if (this.#sent.size < IN_FLIGHT) return false
    const patience = performance.now() - PATIENCE_MS
    let quick = 0
    for (const { at } of this.#sent) if (at > patience) quick++
    return quick >= IN_FLIGHT
  }

  /** The one that has waited longest, and those that can go with it: no two write the same row. */
  #nextGroup(): readonly Waiting[] {
    const group: Waiting[] = []
    const left: Waiting[] = []
    const rows = new Set<string>()
    const { shape } = this.#waiting[0]!
    for (const one of this.#waiting) {
      const goesAlong = one.shape === shape && group.length < MOST_AT_ONCE && !rows.has(one.row)
      rows.add(one.row)
      if (goesAlong) group.push(one)
      else left.push(one)
    }
    this.#waiting = left
    return group
  }

  async #send(group: readonly Waiting[]): Promise<void> {
    const alone = ({ session, plan }: Waiting) => this.#alone(session, plan)
    const [first] = group as readonly [Waiting]
    if (group.length === 1) return alone(first).then(first.resolve, first.reject)
    try {
      const done = await this.#sendTogether(first, group)
      for (const [at, one] of group.entries()) one.resolve(done.has(at) ? DONE : alone(one))
    } catch (error) {
      for (const one of group) one.reject(error)
    }
  }

  /** @returns which of them were carried out; none, if one of them has been in the way of all */
  async #sendTogether(
    { session, shape }: Waiting,
    group: readonly Waiting[],
  ): Promise<ReadonlySet<number>> {
    const plans = group.map(({ plan }) => plan)
    try {
      const { rows } = await session.run(commitsStatement(session.engine, shape, plans))
      return carriedOut(rows)
    } catch (error) {
      // Nobody knows what became of them: whoever asked for one finds out, as if it had been alone.
      if (isLoss(error)) throw error
      return new Set()
    }
  }
}
