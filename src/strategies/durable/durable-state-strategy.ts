import {
  copyToKeep,
  isEnd,
  isRecord,
  isRefusal,
  isRetriedLater,
  sha256,
  type WfAsker,
  type WfBeginOptions,
  type WfClaim,
  type WfClaimOptions,
  type WfFirstPause,
  type WfFormAnswer,
  type WfGuarantees,
  type WfPeek,
  type WfRefusal,
  type WfRunClaimOptions,
  type WfRunStatus,
  type WfRunStore,
  type WfState,
  type WfStateStrategy,
  type WfStoredRun,
  type WfTakeUpOptions,
  type WfTimer,
} from '../../state'
import { awaitedSignal, waitOn } from './awaited-signal'
import type { ClaimedRun } from './claimed-run'
import { DurableClaim } from './durable-claim'
import {
  type DurableStateStrategyOptions,
  expiryOf,
  type ResolvedDurableOptions,
  resolveDurableOptions,
} from './durable-options'
import type { DueNews } from './due-news'
import { findByHandle } from './find-by-handle'
import { firstPauseOf } from './first-pause'
import { giveUpRun, isHopeless } from './give-up-run'
import { inTurn } from './in-turn'
import { endOf, isAnswerable, peekOf, refusalOf } from './link-refusal'
import { RunMessages } from './outbox/run-messages'
import { type ReissuedRun, reissueRun, type ReissueRunOptions } from './reissue-run'
import { recoveryReason, type WfRecoveryReason } from './recovery-reason'
import { cancelReservation, isIdleReservation } from './idle-reservation'
import { reserveKey } from './reserve-key'
import { ringTimer } from './ring-timer'
import { RunManager } from './run-manager'
import { withoutRunNote } from './run-note'
import { isTimer, wokenFor } from './woken-for'

/**
 * The token is a link to a run that is kept in a database, with its history. A claim leaves the run
 * where it is and holds it by a lease, so that a process that dies loses nothing that was committed:
 * whoever comes first when the lease has run out goes on from the last commit, with what had been
 * answered.
 *
 * @example
 * ```ts
 * import { DurableStateStrategy } from '@atscript/moost-wf/strategies'
 * import { WfRunStoreMemory } from '@atscript/moost-wf/store'
 *
 * const strategy = new DurableStateStrategy({
 *   runs: new WfRunStoreMemory(),
 *   secret: process.env.WF_SECRET,
 * })
 * ```
 */
export class DurableStateStrategy implements WfStateStrategy {
  readonly guarantees: WfGuarantees = {
    singleUse: true,
    revocable: true,
    stays: true,
    runKeys: true,
    crashSafe: true,
    timers: true,
    panels: true,
  }
  /** What is done to its runs by whom they belong to. */
  readonly manage: RunManager
  readonly #options: ResolvedDurableOptions

  /** @throws WfError `WF_CONFIG` */
  constructor(options: DurableStateStrategyOptions) {
    this.#options = resolveDurableOptions(options)
    this.manage = new RunManager(this.#options)
  }

  /** Tells of what becomes due by what this process does. */
  get due(): DueNews {
    return this.#options.due
  }

  /** Where its runs are kept. */
  get runs(): WfRunStore {
    return this.#options.runs
  }

  /** What waits to be sent to others, where there is an outbox and a secret. */
  get messages(): RunMessages | undefined {
    const { queue } = this.#options
    return queue && new RunMessages(this.#options, queue)
  }

  async persist(state: WfState, options: { ttl?: number | undefined } = {}): Promise<string> {
    const claim = new DurableClaim(this.#options, { state })
    const expiresAt = expiryOf(this.#options, options)
    return claim.commitPause(state, { audience: 'caller' }, expiresAt)
  }

  async retrieve(token: string): Promise<WfState | null> {
    const peek = await this.peek(token)
    return isRefusal(peek) ? null : peek.state
  }

  async consume(token: string): Promise<WfState | null> {
    const claim = await this.claim(token, { admit: () => null })
    if (isRefusal(claim)) return null
    await claim.finish({})
    return claim.state
  }

  async peek(token: string): Promise<WfPeek | WfRefusal> {
    const found = await findByHandle(this.#options.runs, token)
    return 'refusal' in found
      ? found
      : ((await refusalOf(this.#options.runs, found)) ?? peekOf(found))
  }

  async noteOpened(token: string): Promise<void> {
    const { runs } = this.#options
    await runs.noteOpened?.(await sha256(token))
  }

  async begin(
    state: WfState,
    { runKey, onConflict, keep, asker, ...sent }: WfBeginOptions,
  ): Promise<WfClaim | WfRefusal> {
    const asked = await asker?.()
    const input = keep?.()
    const isAnswerLost = this.#isLost(sent, input)
    const beginning = { state, runKey, input, isAnswerLost, asker: asked, actor: asked?.actor }
    if (runKey === undefined) return new DurableClaim(this.#options, beginning)
    const taken = await reserveKey(this.#options, { ...beginning, runKey, onConflict })
    if ('held' in taken) return new DurableClaim(this.#options, { ...beginning, ...taken })
    const { flowId, schemaId, startedBy } = taken.owner
    return { refusal: 'taken', owner: { flowId, schemaId, startedBy } }
  }

  claim(token: string, options: WfClaimOptions): Promise<WfClaim | WfRefusal> {
    const { clock } = this.#options.runs
    return inTurn(
      () => clock.now(),
      () => this.#claim(token, options),
    )
  }

  async #claim(
    token: string,
    { admit, identify, keep, asker, input, action }: WfClaimOptions,
  ): Promise<WfClaim | WfRefusal> {
    const found = await findByHandle(this.#options.runs, token)
    if ('refusal' in found) return found
    const peek = peekOf(found)
    const dead = await refusalOf(this.#options.runs, found)
    if (!dead && peek.seat !== undefined) await identify?.(peek)
    const refusal = dead ?? admit(peek)
    if (refusal) return refusal
    if (isRetriedLater(peek, this.#options.runs.clock.now())) {
      return { refusal: 'retrying', found: peek }
    }
    const { run, link } = found
    const { seal } = this.#options
    // What was accepted first is what counts, whoever comes now.
    const earlier = await seal.openRequest(run.flowId, run.answer)
    const isAnswered = earlier.answer !== undefined || !isAnswerable(run)
    const kept = isAnswered ? undefined : keep?.()
    const { seat } = link
    const answer = seat === undefined ? kept : kept && { ...kept, seat }
    const now = { answer, asker: await asker?.() }
    const sealed = isAnswered ? run.answer : await seal.closeRequest(run.flowId, now)
    const claim = await this.#take(run, sealed, {
      state: peek.state,
      expiresAt: link.expiresAt,
      recovered: run.leaseOwner === undefined ? undefined : {},
      answer: earlier.answer,
      asker: isAnswered ? (earlier.asker ?? now.asker) : now.asker,
      action: isAnswered ? earlier.answer?.action : action,
      actor: now.asker?.actor,
      kept: sealed,
      said: earlier.answer ?? (seat === undefined ? undefined : (answer ?? { seat, action })),
      isAnswerLost: !isAnswered && this.#isLost({ input, action }, now.answer),
    })
    return claim ?? this.#whyNotTaken(link.hash, peek)
  }

  async takeUp(
    flowId: string,
    { admit, actor, reason }: WfTakeUpOptions,
  ): Promise<WfClaim | WfTimer | WfRefusal> {
    const { runs, seal } = this.#options
    const run = await runs.find(flowId, { everywhere: true })
    if (!run) return { refusal: 'gone' }
    const peek = { state: withoutRunNote(run.state) }
    if (isEnd(run.status)) return { refusal: endOf(run.status), found: peek }
    // Another has brought it to its next pause since it was found: its step must not run unanswered.
    if (run.dueAt === undefined) return { refusal: 'busy', found: peek }
    if (isIdleReservation(run)) {
      await cancelReservation(this.#options, run, actor)
      return { refusal: 'revoked', found: peek }
    }
    const { answer, asker } = await seal.openRequest(flowId, run.answer)
    const awaited = await awaitedSignal(this.#options, run)
    const woken = wokenFor(run, answer !== undefined || isRecord(awaited))
    const busy: WfRefusal = { refusal: 'busy', found: peek }
    const timer = isTimer(woken) ? woken : undefined
    // No build need know a workflow to see that nobody can go on with it.
    const refusal = timer === 'expiry' ? null : admit(peek, timer)
    if (refusal) return refusal
    if (timer) return (await ringTimer(this.#options, run, timer, actor)) ?? busy
    const isFresh = run.state.indexes.length === 0
    if (awaited === null) {
      await waitOn(this.#options, run)
      return busy
    }
    const input = isFresh ? await seal.openInput(flowId, run.input) : answer
    const isCalled = awaited !== undefined && run.status === 'paused' && !run.leaseOwner
    const isExpected = woken !== undefined || isCalled
    const claim = await this.#take(run, run.answer, {
      state: peek.state,
      woken: woken as 'retry' | 'delay' | undefined,
      recovered: isExpected ? undefined : whyRecovered(reason ?? this.#reasonFor(run), asker),
      kept: run.answer,
      isDue: true,
      answer: awaited ? { input: awaited.payload } : input,
      action: answer?.action,
      awaited: awaited?.signal,
      said: answer,
      asker,
      actor,
    })
    return claim ?? busy
  }

  async isRevoked(flowId: string): Promise<boolean> {
    const run = await this.#options.runs.find(flowId, { everywhere: true })
    return run?.status === 'cancelled'
  }

  firstPauseOf(flowId: string): Promise<WfFirstPause | undefined | null> {
    return firstPauseOf(this.#options.runs, flowId)
  }

  async statusOf(flowId: string): Promise<WfRunStatus | undefined> {
    return (await this.#options.runs.find(flowId, { everywhere: true }))?.status
  }

  reissue(flowId: string, options: ReissueRunOptions): Promise<ReissuedRun | null> {
    return reissueRun(this.#options, flowId, options)
  }

  /** Holds a run as it was read. `null` if another was faster. */
  async #take(
    run: WfStoredRun,
    answer: string | undefined,
    { isDue, ...claimed }: Omit<ClaimedRun, 'held'> & Pick<WfRunClaimOptions, 'isDue'>,
  ): Promise<WfClaim | WfRefusal | null> {
    const { runs, owner, leaseMs, maxRecoveries } = this.#options
    const held = await runs.claim(run, { owner, ms: leaseMs, answer, isDue })
    if (held && isHopeless(held, maxRecoveries)) {
      await giveUpRun(this.#options, held, claimed.actor)
      return { refusal: 'used' }
    }
    // Steps change the state that they are given, and whatever is in it.
    const kept = held && { ...held, run: { ...held.run, state: copyToKeep(run.state) } }
    return kept && new DurableClaim(this.#options, { ...claimed, held: kept })
  }

  /** Whether something was sent that is not kept. */
  #isLost({ input, action }: WfFormAnswer, kept: WfFormAnswer | undefined): boolean {
    const isSent = input !== undefined || action !== undefined
    return isSent && (kept === undefined || !this.#options.seal.canClose)
  }

  #reasonFor(run: WfStoredRun): WfRecoveryReason {
    const { runs, stepTimeoutMs } = this.#options
    return recoveryReason(run, { now: runs.clock.now(), stepTimeoutMs })
  }

  /** Another was faster, and is still at it or not. */
  async #whyNotTaken(hash: string, found: WfPeek): Promise<WfRefusal> {
    const now = await this.#options.runs.findByLink(hash)
    return (now && (await refusalOf(this.#options.runs, now))) ?? { refusal: 'busy', found }
  }
}

function whyRecovered(
  reason: string | undefined,
  asker: WfAsker | undefined,
): Readonly<Record<string, unknown>> {
  const { actor } = asker ?? {}
  return { ...(reason !== undefined && { reason }), ...(actor !== undefined && { askedBy: actor }) }
}
