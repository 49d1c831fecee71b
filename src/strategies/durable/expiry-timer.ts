import type { WfExpiryTimer, WfHeldRun } from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import { giveUpAt } from './give-up-at'
import { lastEndOf } from './last-end'
import { lostRun } from './lost-run'

/** A run that may wait for nobody any more, held as whoever answers would hold it. */
export class ExpiryTimer implements WfExpiryTimer {
  readonly timer = 'expiry'
  readonly #options: ResolvedDurableOptions
  readonly #held: WfHeldRun
  readonly #actor: string | undefined

  constructor(options: ResolvedDurableOptions, held: WfHeldRun, actor: string | undefined) {
    this.#options = options
    this.#held = held
    this.#actor = actor
  }

  async end(): Promise<void> {
    const { runs, ends } = this.#options
    const { run } = this.#held
    const dueAt = giveUpAt(this.#options, await lastEndOf(runs, run, run.updatedAt))
    if (dueAt === undefined || dueAt > runs.clock.now()) {
      await runs.release({ ...this.#held, run: { ...run, dueAt } })
      return
    }
    const events = [{ type: 'cancelled', to: 'cancelled', detail: { reason: 'expired' } }] as const
    const written = await runs.commit(this.#held, { events, actor: this.#actor, stepId: null })
    if (!written) throw await lostRun(runs, this.#held)
    ends.tell(run.flowId, written.run)
  }
}
