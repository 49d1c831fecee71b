import {
  changeableCopy,
  type WfClaim,
  type WfDeadlineTimer,
  type WfHeldRun,
  type WfNewRunEvent,
  type WfRunChange,
  type WfState,
} from '../../state'
import { DurableClaim } from './durable-claim'
import type { ResolvedDurableOptions } from './durable-options'
import { noteOf, withoutRunNote, withRunNote } from './run-note'

/** A run whose pause nobody has answered in time, held as whoever answers would hold it. */
export class DeadlineTimer implements WfDeadlineTimer {
  readonly timer = 'deadline'
  readonly state: WfState
  readonly onTimeout: string
  readonly #options: ResolvedDurableOptions
  readonly #held: WfHeldRun
  readonly #actor: string | undefined

  constructor(options: ResolvedDurableOptions, held: WfHeldRun, actor: string | undefined) {
    this.#options = options
    this.#held = held
    this.#actor = actor
    this.state = withoutRunNote(changeableCopy(held.run.state))
    this.onTimeout = noteOf(held.run.state).timer?.onTimeout ?? 'fail'
  }

  async end(missing?: string): Promise<boolean> {
    const { onTimeout } = this
    const { stepId, state } = this.#held.run
    const timedOut: WfNewRunEvent = { type: 'timed_out', stepId, detail: { onTimeout } }
    if (missing === undefined && onTimeout === 'cancel') {
      const detail = { reason: 'deadline' }
      const events = [timedOut, { type: 'cancelled', to: 'cancelled', detail }] as const
      return (await this.#commit({ events, stepId: null })) !== null
    }
    const code = missing === undefined ? 'WF_DEADLINE' : 'WF_NO_SUCH_STEP'
    const detail = { code, ...(missing !== undefined && { step: missing }) }
    const failed = { type: 'workflow_failed', to: 'failed', stepId, detail } as const
    const lastError = { ...detail, at: Math.floor(this.#options.runs.clock.now()) }
    // Whoever is asked again, because someone says so, has no deadline any more.
    const { timer: _timer, ...note } = noteOf(state)
    const written = await this.#commit({
      events: [timedOut, failed],
      lastError,
      state: withRunNote(withoutRunNote(state), note),
    })
    return written !== null
  }

  async goOn(next: WfState): Promise<WfClaim | null> {
    const { onTimeout } = this
    const { owner, leaseMs } = this.#options
    const detail = { onTimeout, indexes: next.indexes }
    const { stepId } = this.#held.run
    const held = await this.#commit({
      events: [{ type: 'timed_out', to: 'active', stepId, detail }],
      // Without the number of a pause, all of its links are dead.
      state: withRunNote(next, { stepsDone: 1 }),
      attempts: 0,
      lastError: null,
      waitsFor: null,
      lease: { owner, ms: leaseMs },
    })
    if (!held) return null
    const state = changeableCopy(next)
    return new DurableClaim(this.#options, { held, state, woken: 'deadline', actor: this.#actor })
  }

  async release(): Promise<void> {
    await this.#options.runs.release(this.#held)
  }

  async #commit(change: WfRunChange): Promise<WfHeldRun | null> {
    const { runs, ends } = this.#options
    const sure = { ...change, actor: this.#actor, unlessSignalled: true } as const
    const written = await runs.commit(this.#held, sure)
    if (!written) await this.#giveWay()
    else if (!change.lease) ends.tell(written.run.flowId, written.run)
    return written
  }
  /** A signal that has come meanwhile was told that it is awaited: it must not wait for the lease. */
  async #giveWay(): Promise<void> {
    await this.release()
    this.#options.due.tell()
  }
}
