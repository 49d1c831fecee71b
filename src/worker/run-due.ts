import type { DueOutcome } from './due-source'
import type { DueWork } from './due-work'

const AT_ONCE = 10

/** How much is done at once. */
export interface WfRunDueOptions {
  /** At most this many. @default 100 */
  readonly limit?: number | undefined
  /**
   * For how many milliseconds: then it begins with nothing more, and hands each run on behind the step at
   * which it is.
   * @default 50 seconds
   */
  readonly budgetMs?: number | undefined
}

/** How much was due, and what became of it. */
export interface WfDueReport {
  /** Is done: a run has gone on to its next pause or its end. */
  readonly done: number
  /** Runs whose time was over: they are due again. */
  readonly handedOn: number
  /** Runs that wait for whoever has a link. */
  readonly waiting: number
  /** Has failed; what is to become of it is noted there. */
  readonly failed: number
  /** Others have it, or this build cannot go on with it. */
  readonly left: number
}

/** What the budget is unless it is said otherwise: less than what schedulers allow. */
export const BUDGET_MS = 50_000

/** Does what is due now, and waits for what becomes of it. */
export async function runDue(
  work: DueWork,
  { limit = 100, budgetMs = BUDGET_MS }: WfRunDueOptions,
): Promise<WfDueReport> {
  const until = performance.now() + budgetMs
  const tried = new Set<string>()
  const report = { done: 0, handedOn: 0, waiting: 0, failed: 0, left: 0 }
  const open = new Set<Promise<void>>()
  const count = async (outcome: Promise<DueOutcome>) => void report[COUNTED_AS[await outcome]]++
  for (;;) {
    const left = until - performance.now()
    const free = Math.min(AT_ONCE - open.size, limit - tried.size)
    const begun = left > 0 ? await work.takeDue(free, left, tried) : []
    for (const { outcome } of begun) {
      const counted = count(outcome).finally(() => open.delete(counted))
      open.add(counted)
    }
    if (open.size === 0) return report
    await Promise.race(open)
  }
}

const COUNTED_AS = {
  done: 'done',
  'handed on': 'handedOn',
  waiting: 'waiting',
  failed: 'failed',
  left: 'left',
  taken: 'left',
} as const
