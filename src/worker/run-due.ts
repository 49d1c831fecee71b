import type { DueOutcome } from './due-source'
import type { DueWork } from './due-work'

const AT_ONCE = 10

/** How much is done at once. */
export interface WfRunDueOptions {
  /** At most this many runs. @default 100 */
  readonly limit?: number | undefined
  /** Begin with no further ones after so many milliseconds. @default 50 seconds */
  readonly budgetMs?: number | undefined
}

/** How much was due, and what became of it. */
export interface WfDueReport {
  /** Runs that have gone on, to their next pause or their end. */
  readonly done: number
  /** Runs that wait for whoever has a link. */
  readonly waiting: number
  /** Something has failed; what is to become of it is noted there. */
  readonly failed: number
  /** Others have them, or this build cannot go on with them. */
  readonly left: number
}

/** Does what is due now, and waits for what becomes of it. */
export async function runDue(
  work: DueWork,
  { limit = 100, budgetMs = 50_000 }: WfRunDueOptions,
): Promise<WfDueReport> {
  const until = performance.now() + budgetMs
  const seen = new Set<string>()
  const begun: Promise<DueOutcome>[] = []
  while (seen.size < limit && performance.now() < until) {
    const taken = await work.takeDue(Math.min(AT_ONCE, limit - seen.size), seen)
    if (taken.length === 0) break
    begun.push(...taken)
    await Promise.allSettled(taken)
  }
  const report = { done: 0, waiting: 0, failed: 0, left: 0 }
  for (const outcome of await Promise.all(begun)) report[outcome]++
  return report
}
