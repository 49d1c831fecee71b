import {
  changeableCopy,
  isEnd,
  isRefusal,
  sha256,
  type WfAsker,
  type WfBeginOptions,
  type WfClaim,
  type WfClaimOptions,
  type WfGuarantees,
  type WfHeldRun,
  type WfPeek,
  type WfRefusal,
  type WfRunLink,
  type WfRunStore,
  type WfState,
  type WfStateStrategy,
  type WfStoredRun,
  type WfTakeUpOptions,
} from '../../state'
import { createRun, type CreateRunOptions } from './create-run'
import { type ClaimedRun, DurableClaim } from './durable-claim'
import {
  type DurableStateStrategyOptions,
  expiryOf,
  type ResolvedDurableOptions,
  resolveDurableOptions,
} from './durable-options'
import { giveUpRun, isHopeless } from './give-up-run'
import { wholeOf } from './history-detail'
import { endOf, type Found, peekOf, refusalOf } from './link-refusal'
import { liveLinks } from './live-links'
import { cancelRun, extendRun, type ManageRunOptions, retryRun } from './manage-run'
import { type ReissuedRun, reissueRun, type ReissueRunOptions } from './reissue-run'
import { recoveryReason, type WfRecoveryReason } from './recovery-reason'
import { cancelReservation, isIdleReservation, reserveKey } from './reserve-key'
import type { RunEnds } from './run-ends'
import { isBetweenSteps, noteOf, withoutRunNote, withRunNote } from './run-note'
import { updateRun } from './update-run'

const LONGEST_HANDLE = 1000

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
  }
  readonly #options: ResolvedDurableOptions

  /** @throws WfError `WF_CONFIG` */
  constructor(options: DurableStateStrategyOptions) {
    this.#options = resolveDurableOptions(options)
  }

  /** Where its runs are kept. */
  get runs(): WfRunStore {
    return this.#options.runs
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
    const found = await this.#find(token)
    return 'refusal' in found
      ? found
      : ((await refusalOf(this.#options.runs, found)) ?? peekOf(found))
  }

  async begin(
    state: WfState,
    { runKey, keep, asker }: WfBeginOptions,
  ): Promise<WfClaim | WfRefusal> {
    const asked = await asker?.()
    const beginning = { state, runKey, input: keep?.(), asker: asked, actor: asked?.actor }
    if (runKey === undefined) return new DurableClaim(this.#options, beginning)
    const held = await reserveKey(this.#options, { ...beginning, runKey })
    return held ? new DurableClaim(this.#options, { ...beginning, held }) : { refusal: 'taken' }
  }

  async claim(
    token: string,
    { admit, keep, asker, action }: WfClaimOptions,
  ): Promise<WfClaim | WfRefusal> {
    const found = await this.#find(token)
    if ('refusal' in found) return found
    const peek = peekOf(found)
    const refusal = (await refusalOf(this.#options.runs, found)) ?? admit(peek)
    if (refusal) return refusal
    const { run, link } = found
    const { seal } = this.#options
    // What was accepted first is what counts, whoever comes now.
    const earlier = await seal.openRequest(run.flowId, run.answer)
    const isAnswered = earlier.answer !== undefined || !isAnswerable(run)
    const now = { answer: isAnswered ? undefined : keep?.(), asker: await asker?.() }
    const sealed = isAnswered ? run.answer : await seal.closeRequest(run.flowId, now)
    const claim = await this.#take(run, sealed, {
      state: peek.state,
      expiresAt: link.expiresAt,
      recovered: run.leaseOwner === undefined ? undefined : {},
      answer: earlier.answer,
      asker: isAnswered ? (earlier.asker ?? now.asker) : now.asker,
      action: isAnswered ? earlier.answer?.action : action,
      actor: now.asker?.actor,
    })
    return claim ?? this.#whyNotTaken(link.hash, peek)
  }

  async takeUp(
    flowId: string,
    { admit, actor, reason }: WfTakeUpOptions,
  ): Promise<WfClaim | WfRefusal> {
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
    const refusal = admit(peek)
    if (refusal) return refusal
    const { answer, asker } = await seal.openRequest(flowId, run.answer)
    const isFresh = run.state.indexes.length === 0
    const claim = await this.#take(run, run.answer, {
      state: peek.state,
      recovered: whyRecovered(reason ?? this.#reasonFor(run), asker),
      answer: isFresh ? await seal.openInput(flowId, run.input) : answer,
      action: answer?.action,
      asker,
      actor,
    })
    return claim ?? { refusal: 'busy', found: peek }
  }

  async isRevoked(flowId: string): Promise<boolean> {
    const run = await this.#options.runs.find(flowId, { everywhere: true })
    return run?.status === 'cancelled'
  }

  reissue(flowId: string, options: ReissueRunOptions): Promise<ReissuedRun | null> {
    return reissueRun(this.#options, flowId, options)
  }

  /** Holds a run as it was read. `null` if another was faster. */
  async #take(
    run: WfStoredRun,
    answer: string | undefined,
    claimed: Omit<ClaimedRun, 'held'>,
  ): Promise<WfClaim | WfRefusal | null> {
    const { runs, owner, leaseMs, maxRecoveries } = this.#options
    const held = await runs.claim(run, { owner, ms: leaseMs, answer })
    if (held && isHopeless(held, maxRecoveries)) {
      await giveUpRun(this.#options, held, claimed.actor)
      return { refusal: 'used' }
    }
    // Steps change the state that they are given, and whatever is in it.
    const kept = held && { ...held, run: { ...held.run, state: changeableCopy(run.state) } }
    return kept && new DurableClaim(this.#options, { ...claimed, held: kept })
  }

  /**
   * Writes a run that is accepted: it will be begun by whoever holds what is given back, or taken up by
   * another process.
   *
   * @returns `null` if its key is taken
   */
  create(state: WfState, options: CreateRunOptions): Promise<WfHeldRun | null> {
    return createRun(this.#options, state, options)
  }

  /** Goes on with a run that was created here. */
  begun(held: WfHeldRun, options: Pick<CreateRunOptions, 'input' | 'actor'>): WfClaim {
    const { input: answer, actor } = options
    const asker = { actor }
    const state = withoutRunNote(changeableCopy(held.run.state))
    return new DurableClaim(this.#options, { held, state, answer, asker, actor })
  }

  /**
   * The state of a run that is brought here from elsewhere, where its pause has this number.
   *
   * @returns it, the number that the pause had, and what the history tells of both
   */
  async placed(flowId: string, state: WfState, pause: number) {
    const note = noteOf(state)
    const whole = await wholeOf(state, this.#options.seal.digestFor(flowId))
    return note.pause === undefined
      ? { state, detail: whole }
      : {
          state: withRunNote(state, { ...note, pause }),
          formerPause: note.pause,
          detail: { ...whole, pause },
        }
  }

  /** Tells of runs that end in this process. */
  get ends(): RunEnds {
    return this.#options.ends
  }

  /**
   * Ends a run that has not ended, whoever works on it: their next commit is refused.
   *
   * @returns `false` if it was cancelled before, `null` if there is no such run
   * @throws WfError `WF_TRANSITION` if it has ended otherwise
   */
  cancel(flowId: string, options: ManageRunOptions = {}): Promise<boolean | null> {
    return cancelRun(this.#options, flowId, options)
  }

  /**
   * Lets the links of a run live until then, also those that have expired.
   *
   * @returns `null` if there is no such run, or it does not wait
   * @throws WfError `WF_CONFLICT` when it goes on at the same moment
   */
  extend(flowId: string, expiresAt: number, options: ManageRunOptions = {}): Promise<true | null> {
    return extendRun(this.#options, flowId, expiresAt, options)
  }

  /** The links by which a run can be answered now, the one that was made last first. */
  async linksOf(flowId: string): Promise<readonly WfRunLink[]> {
    const { runs } = this.#options
    const run = await runs.find(flowId)
    if (!run || isEnd(run.status)) return []
    return liveLinks(await runs.links(flowId), noteOf(run.state))
  }

  /**
   * Changes the context of a run that nobody works on, and holds the run meanwhile.
   *
   * @param expectedVersion refuses another one
   * @param change gets a copy of the context, and gives what it should be
   * @returns its version now; `null` if there is no such run
   * @throws WfError `WF_CONFLICT`, `WF_TRANSITION`, `WF_STATE_INVALID`; what `change` throws
   */
  update(
    flowId: string,
    expectedVersion: number | undefined,
    change: (context: unknown) => unknown,
    options: ManageRunOptions = {},
  ): Promise<number | null> {
    return updateRun(this.#options, flowId, expectedVersion, change, options)
  }

  /**
   * Lets a run go on that has failed, from its last commit.
   *
   * @returns `null` if there is no such run
   * @throws WfError `WF_TRANSITION` if it has not failed, `WF_CONFLICT` when someone else does the same
   */
  retry(flowId: string, options: ManageRunOptions = {}): Promise<true | null> {
    return retryRun(this.#options, flowId, options)
  }

  #reasonFor(run: WfStoredRun): WfRecoveryReason {
    const { runs, stepTimeoutMs } = this.#options
    return recoveryReason(run, { now: runs.clock.now(), stepTimeoutMs })
  }

  async #find(token: string): Promise<Found | WfRefusal> {
    if (typeof token !== 'string' || token === '' || token.length > LONGEST_HANDLE) {
      return { refusal: 'garbled' }
    }
    const found = await this.#options.runs.findByLink(await sha256(token))
    return found ?? { refusal: 'gone' }
  }

  /** Another was faster, and is still at it or not. */
  async #whyNotTaken(hash: string, found: WfPeek): Promise<WfRefusal> {
    const now = await this.#options.runs.findByLink(hash)
    return (now && (await refusalOf(this.#options.runs, now))) ?? { refusal: 'busy', found }
  }
}

/** Whether what is sent now is for the step at which the run waits. */
function isAnswerable({ status, state }: WfStoredRun): boolean {
  return status === 'paused' && !isBetweenSteps(state)
}

function whyRecovered(
  reason: string | undefined,
  asker: WfAsker | undefined,
): Readonly<Record<string, unknown>> {
  const { actor } = asker ?? {}
  return { ...(reason !== undefined && { reason }), ...(actor !== undefined && { askedBy: actor }) }
}
