import { createEventContext, type Logger } from '@wooksjs/event-core'
import type { WfDueRun } from '../state'
import { recoverRun, type Recovered } from './recover-runs'
import type { RunsOf } from './start-run'

/** How much is recovered at once. */
export interface WfRecoverOptions {
  /** Take up at most this many runs. @default 100 */
  readonly limit?: number | undefined
  /** Take up no further ones after so many milliseconds. @default 30 seconds */
  readonly budgetMs?: number | undefined
}

/** How many runs were found, and what became of them. */
export interface WfRecoverReport {
  /** Have gone on, to their next pause or their end. */
  readonly recovered: number
  /** Wait for whoever has a link. */
  readonly waiting: number
  /** A step has failed. */
  readonly failed: number
  /** Others have them, or this build cannot go on with them. */
  readonly left: number
}

/** How runs are looked after while the application runs. */
export interface WfRecoveryOptions {
  /** Milliseconds between two looks. @default 1000 */
  readonly everyMs?: number | undefined
  /** How many runs go on at once. @default 10 */
  readonly concurrency?: number | undefined
}

/** Looks for runs that are stuck, and goes on with them. */
export class Recovery {
  readonly #runs: RunsOf
  readonly #actor: string
  readonly #logger: Logger
  /** Those that go on here. */
  readonly #busy = new Map<string, Promise<Recovered>>()
  /** Those of them that were found due: what is started here must not keep from looking. */
  readonly #takenUp = new Map<string, Promise<Recovered>>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #looking: Promise<void> | undefined
  #isStopped = false

  constructor(runs: RunsOf, actor: string, logger: Logger) {
    this.#runs = runs
    this.#actor = actor
    this.#logger = logger
  }

  /** Looks again and again, and does not keep the process alive. */
  start({ everyMs = 1000, concurrency = 10 }: WfRecoveryOptions): void {
    const next = () => {
      this.#timer = setTimeout(() => void (this.#looking = look()), everyMs)
      ;(this.#timer as { unref?(): void }).unref?.()
    }
    const look = async () => {
      try {
        await this.#takeUpAll(concurrency)
      } catch (error) {
        this.#logger.error('Runs that are due could not be looked for', error)
      }
      if (!this.#isStopped) next()
    }
    next()
  }

  /** A process that died may have left more than go on at once: as long as they go on, the next follow. */
  async #takeUpAll(concurrency: number): Promise<void> {
    while (!this.#isStopped) {
      const free = concurrency - this.#takenUp.size
      const taken = await this.#takeUpDue(free)
      if (taken.length === 0 || taken.length < free) return
      // What fails or is left alone may still be due, and would be found again at once.
      const outcome = await Promise.race(this.#takenUp.values())
      if (outcome === 'failed' || outcome === 'left') return
    }
  }

  /** Looks no more, and waits for what goes on here. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#looking
    await Promise.allSettled(this.#busy.values())
  }

  /** Goes on with what is due now, and waits for what becomes of it. */
  async recover({ limit = 100, budgetMs = 30_000 }: WfRecoverOptions): Promise<WfRecoverReport> {
    const until = performance.now() + budgetMs
    const seen = new Set<string>()
    const done: Promise<Recovered>[] = []
    const report = { recovered: 0, waiting: 0, failed: 0, left: 0 }
    while (seen.size < limit && performance.now() < until) {
      const taken = await this.#takeUpDue(Math.min(10, limit - seen.size), seen)
      if (taken.length === 0) break
      done.push(...taken)
      await Promise.allSettled(taken)
    }
    for (const outcome of await Promise.all(done)) report[COUNTED_AS[outcome]]++
    return report
  }

  /** Goes on with a run here, and is waited for when the application stops. */
  attend<R extends Recovered>(flowId: string, work: () => Promise<R>): Promise<Recovered> {
    const going = createEventContext({ logger: this.#logger }, work).finally(() => {
      if (this.#busy.get(flowId) === going) this.#busy.delete(flowId)
    })
    this.#busy.set(flowId, going)
    return going
  }

  /** Goes on with a run that is due. */
  takeUp(run: Pick<WfDueRun, 'flowId'>): Promise<Recovered> {
    const { flowId } = run
    const going = this.attend(flowId, () => recoverRun(this.#runs, run, this.#actor))
    this.#takenUp.set(flowId, going)
    return going.finally(() => {
      if (this.#takenUp.get(flowId) === going) this.#takenUp.delete(flowId)
    })
  }

  /** @param seen is left alone, and told of what is taken up */
  async #takeUpDue(
    limit: number,
    seen = new Set<string>(),
  ): Promise<readonly Promise<Recovered>[]> {
    if (limit <= 0) return []
    const { runs } = this.#runs.keeper.strategy
    const due = await runs.due(limit + seen.size + this.#busy.size)
    if (this.#isStopped) return []
    const mine = due.filter(({ flowId }) => !seen.has(flowId) && !this.#busy.has(flowId))
    return mine.slice(0, limit).map(run => {
      seen.add(run.flowId)
      return this.takeUp(run)
    })
  }
}

const COUNTED_AS = {
  'gone on': 'recovered',
  waiting: 'waiting',
  failed: 'failed',
  left: 'left',
} as const
