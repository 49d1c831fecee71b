import {
  type Awaitable,
  isAwaited,
  jsonCopy,
  type WfAsker,
  type WfClaim,
  type WfDelayed,
  type WfDeliver,
  type WfFormAnswer,
  type WfPaused,
  type WfPauseOptions,
  type WfProgress,
  type WfResult,
  type WfRetry,
  type WfState,
  type WfStayOptions,
} from '../../state'
import { deliverOrUndo } from '../claim/deliver-or-undo'
import { deliverThenCommit } from '../claim/deliver-then-commit'
import type { ClaimedRun } from './claimed-run'
import { commitCheckpoint } from './commit-checkpoint'
import { commitFinish } from './commit-finish'
import { commitPause, commitStay, onlyLink } from './commit-pause'
import { describeFailure } from './describe-error'
import { expiryOf, type ResolvedDurableOptions } from './durable-options'
import { isIdleReservation } from './idle-reservation'
import { giveUpAt } from './give-up-at'
import { ignoreLoss } from './ignore-loss'
import { type JudgedFailure, judgeFailure } from './judge-failure'
import { noteDelay } from './note-delay'
import { noteWaiting } from './note-waiting'
import { noteFailure } from './note-failure'
import { isToBeQueued, queuePause, queueStay } from './outbox/queue-pause'
import { outboxNeeded } from './outbox/outbox-needed'
import { pauseForSignal } from './pause-for-signal'
import { releaseRun } from './release-run'
import { RunJournal } from './run-journal'
import { stepOf } from './run-note'
import { SealedAsker } from './sealed-asker'
import { takeBackPause } from './take-back-pause'

type Checkpoint = Parameters<NonNullable<WfClaim['checkpoint']>>

/** The right to go on with a run, and what is committed when it does. */
export class DurableClaim implements WfClaim {
  readonly state: WfState
  readonly expiresAt: number | undefined
  readonly seat: string | undefined
  readonly answer: WfFormAnswer | undefined
  readonly asker: WfAsker | undefined
  readonly progress: WfProgress
  readonly heartbeatMs: number
  readonly checkpoint: (...saved: Checkpoint) => Promise<void>
  readonly awaitSignal?: (next: WfState, name: string) => Promise<void>
  readonly #options: ResolvedDurableOptions
  readonly #journal: RunJournal
  readonly #run: ClaimedRun
  readonly #sealedAsker: SealedAsker
  /** Behind the last completed step, where that is not committed until the run pauses or ends. */
  #latest: WfState | undefined
  /** How many steps it has left behind that are not committed. */
  #uncommitted = 0

  constructor(options: ResolvedDurableOptions, run: ClaimedRun) {
    this.#options = options
    this.#journal = new RunJournal(options, run)
    this.#run = run
    this.state = run.state
    this.expiresAt = run.expiresAt
    this.seat = run.said?.seat
    this.answer = run.answer
    this.asker = run.asker
    this.#sealedAsker = new SealedAsker(options.seal, this.#journal.flowId, run.asker)
    const { stepsDone = 0 } = this.#journal.note
    this.progress = { stepsDone, attempt: (run.held?.run.attempts ?? 0) + 1 }
    this.heartbeatMs = Math.ceil(options.leaseMs / 3)
    this.checkpoint = (...saved) =>
      // A transaction must not be held over several steps.
      options.checkpoint === 'step' || saved[1]?.isHandedOn || this.#journal.transaction.isOpen
        ? this.#checkpoint(...saved)
        : this.#remember(saved[0])
    const { signals } = options.runs
    if (signals) this.awaitSignal = (...given) => pauseForSignal(this.#journal, signals, ...given)
  }

  get signal(): AbortSignal {
    return this.#journal.signal
  }

  transaction(space?: object): Promise<object> {
    return this.#journal.transaction.use(space)
  }

  undoStep(): Promise<void> {
    return this.#journal.undoStep()
  }

  async heartbeat(): Promise<void> {
    const { runs, stepTimeoutMs } = this.#options
    const { held, since, transaction } = this.#journal
    // What is written nowhere yet is nobody else's, but a transaction must end.
    if (!held && !transaction.isOpen) return
    if (runs.clock.now() - since >= stepTimeoutMs) return this.#journal.giveUp()
    if (held && !(await this.#journal.renew())) await this.#journal.lose()
  }

  // The row is there before the token leaves: an answer can arrive before `deliver` returns.
  pause<T>(next: WfState, options: WfPauseOptions, deliver: WfDeliver<T>): Awaitable<WfPaused<T>> {
    const { standing, awaited: taken, transaction } = this.#journal
    const expiresAt = expiryOf(this.#options, options)
    const { queue } = this.#options
    if (options.each && !queue) return this.#orRelease(Promise.reject(outboxNeeded()))
    if (queue && isToBeQueued(options)) {
      const queueing = queuePause(queue, this.#journal, next, options, this.#until(expiresAt))
      return this.#orRelease(queueing).then(() => ({ outcome: 'queued', expiresAt }))
    }
    if (transaction.isOpen) {
      return deliverThenCommit({
        commit: announce => this.commitPause(next, options, expiresAt, announce),
        deliver: handle => deliver(handle, expiresAt),
        undelivered: error => this.fail(error, stepOf(next)),
        unwritten: error => (this.#journal.isUnsettled(error) ? undefined : this.release()),
      })
    }
    let isWritten = false
    return deliverOrUndo({
      write: async () => {
        const handle = await this.commitPause(next, options, expiresAt)
        isWritten = true
        return handle
      },
      deliver: handle => deliver(handle, expiresAt),
      kill: async () => {
        const { runs } = this.#options
        const answer = await this.#sealedAsker.at(standing.state)
        return takeBackPause(runs, this.#journal, standing, {
          actor: this.#run.actor,
          answer,
          taken,
        })
      },
      // What was taken back stands where it stood.
      restore: error =>
        isWritten || this.#journal.isUnsettled(error) ? undefined : this.release(),
    })
  }

  /**
   * Commits a pause.
   *
   * @param before what must succeed first, where the step has a transaction
   * @returns the handle of its link
   */
  async commitPause(
    next: WfState,
    { audience, message, deadline }: Pick<WfPauseOptions, 'audience' | 'message' | 'deadline'>,
    expiresAt: number | undefined,
    before?: (handle: string) => Promise<void>,
  ): Promise<string> {
    const handle = this.#options.generateHandle()
    const announced = before && (() => before(handle))
    const until = this.#until(expiresAt)
    const links = onlyLink(message, handle)
    const how = { audience, message, deadline, links, ...until, before: announced }
    await commitPause(this.#journal, next, how)
    return handle
  }

  stay(next: WfState, { each = [], ...how }: WfStayOptions = {}): Promise<void> {
    const { queue } = this.#options
    if (each.length > 0 && !queue) return this.#orRelease(Promise.reject(outboxNeeded()))
    // Whoever is asked later has as much time as the others.
    const expiresAt = this.#journal.held?.run.expiresAt
    const staying =
      each.length > 0
        ? queueStay(queue!, this.#journal, next, { each, ...how }, expiresAt)
        : commitStay(this.#journal, next, { links: [], expiresAt, ...how })
    return this.#orRelease(staying)
  }

  async delay(next: WfState, delayed: WfDelayed): Promise<void> {
    await noteDelay(this.#journal, next, delayed, await this.#sealedAsker.value)
  }

  async finish(result: WfResult): Promise<void> {
    await commitFinish(this.#journal, result, this.#latest)
  }

  async handOver(): Promise<void> {
    await this.#writeDeferred()
    if (!this.#journal.held) return
    const events = [{ type: 'moved_out', to: 'cancelled' }] as const
    await this.#journal.commit(events, () => ({ stepId: null }))
  }

  /** Whoever has a link goes on. A run that never had one has nobody to wait for. */
  async wait(): Promise<void> {
    await this.#writeDeferred()
    const { held, standing } = this.#journal
    if (!held) return
    // What was accepted is for the step that it was for, as long as that has not run.
    const answer = standing.isUntouched ? held.run.answer : await this.#sealedAsker.value
    const isAnswered = this.answer !== undefined
    await noteWaiting(this.#options, this.#journal, { answer, isAnswered, at: this.#now() }).catch(
      ignoreLoss,
    )
  }

  /** What a step has done before it failed does not count: the state is as it was committed. */
  async fail(
    error: unknown,
    stepId?: string,
    policy = this.#options.retry,
  ): Promise<WfRetry | void> {
    await this.#writeDeferred()
    // The step has done its part. When the lease has run out, whoever comes finds out.
    if (this.#journal.isLost || this.#journal.isUnsettled(error)) return
    const { held } = this.#journal
    const thrown = { error, stepId, policy, isAnswerLost: this.#run.isAnswerLost === true }
    const failure = judgeFailure(this.#journal, thrown)
    const { kind } = failure.verdict
    // What has not begun has nothing to stand on.
    if (kind !== 'retry' && (!held || this.#isReservation)) return held && this.#forget()
    const answer = await this.#answerBehind(failure)
    const { state, answer: typed } = this
    const around = [this.#journal.standing.state.context, state.context, typed?.input]
    const note = describeFailure(error, this.#options.errorMessages ? around : undefined)
    return noteFailure(this.#journal, failure, note, answer, this.#now()).catch(ignoreLoss)
  }

  async release(): Promise<void> {
    await this.#writeDeferred()
    const { held } = this.#journal
    if (!held) return
    if (this.#isReservation) return this.#forget()
    await releaseRun(this.#options, this.#journal.note, held, this.answer !== undefined)
  }

  /** What is surely not written leaves the run as it was. */
  #orRelease<R>(writing: Promise<R>): Promise<R> {
    return writing.catch(async (error: unknown) => {
      if (!this.#journal.isUnsettled(error)) await this.release()
      throw error
    })
  }

  get #isReservation(): boolean {
    const { held } = this.#journal
    return held !== undefined && isIdleReservation(held.run)
  }

  /** A run that has come to nothing. */
  async #forget(): Promise<void> {
    const events = [{ type: 'cancelled', to: 'cancelled' }] as const
    await this.#options.runs.commit(this.#journal.held!, { events, actor: this.#run.actor })
  }

  /** Steps go on changing what they are given. */
  async #remember(live: WfState): Promise<void> {
    this.#latest = jsonCopy(live, this.#latest ?? this.#journal.standing.state)
    this.#uncommitted++
  }

  async #checkpoint(...[live, behind]: Checkpoint): Promise<void> {
    // Steps may go on with it while the answer is sealed.
    const state = jsonCopy(live, this.#latest ?? this.#journal.standing.state)
    const sealing = this.#sealedAsker.value
    const answer = isAwaited(sealing) ? await sealing : sealing
    const steps = this.#uncommitted + 1
    this.#uncommitted = 0
    this.#latest = undefined
    return commitCheckpoint(this.#journal, state, { ...behind, answer, steps })
  }

  /** The last step is behind the run, and yet it does not end. What else a step has done comes to nothing. */
  async #writeDeferred(): Promise<void> {
    await this.#journal.writeDeferred().catch(ignoreLoss)
    await this.#journal.undoStep()
  }

  /** What is left of the request behind a failure: all of it, where the step that it was for runs again. */
  async #answerBehind({ verdict }: JudgedFailure): Promise<string | undefined> {
    const { isUntouched, state } = this.#journal.standing
    if (isUntouched && verdict.kind === 'stands') return this.#sealedAsker.at(state)
    return (isUntouched ? this.#run.kept : undefined) ?? this.#sealedAsker.value
  }

  /** For how long a pause waits, and for how long behind that. */
  #until(expiresAt: number | undefined) {
    return { expiresAt, giveUpAt: giveUpAt(this.#options, expiresAt) }
  }

  #now(): number {
    return Math.floor(this.#options.runs.clock.now())
  }
}
