import { useLogger } from '@wooksjs/event-core'
import type { DueItem, DueOutcome, DueSource } from './due-source'
import type { WfQueue } from './wf-queue'

/** For how long a message may be under way before it counts as lost. */
const AGAIN_MS = 30_000

/** Runs that are due, as a process sees them that hands them to a queue and does not go on with them itself. */
export class QueuedRuns implements DueSource {
  readonly kind: string
  readonly #runs: Pick<DueSource, 'kind' | 'due' | 'nextAt'>
  readonly #queue: WfQueue
  readonly #now: () => number
  /** Those that are under way, and since when; the oldest first. */
  readonly #sent = new Map<string, number>()

  constructor(runs: Pick<DueSource, 'kind' | 'due' | 'nextAt'>, queue: WfQueue, now: () => number) {
    this.kind = runs.kind
    this.#runs = runs
    this.#queue = queue
    this.#now = now
  }

  async due(limit: number): Promise<readonly DueItem[]> {
    this.#forget()
    // What is under way is due until someone has taken it, and must not hide the others.
    const found = await this.#runs.due(limit + this.#sent.size)
    return found.filter(({ id }) => !this.#sent.has(id)).slice(0, limit)
  }

  nextAt(withinMs: number): Promise<number | undefined> {
    return this.#runs.nextAt(withinMs)
  }

  async attend(flowId: string): Promise<DueOutcome> {
    try {
      await this.#queue.send(flowId)
      this.#sent.delete(flowId)
      this.#sent.set(flowId, this.#now())
      return 'done'
    } catch (error) {
      useLogger().error(`Run ${flowId} could not be sent to the queue`, error)
      return 'failed'
    }
  }

  #forget(): void {
    const until = this.#now() - AGAIN_MS
    for (const [flowId, sentAt] of this.#sent) {
      if (sentAt > until) return
      this.#sent.delete(flowId)
    }
  }
}
