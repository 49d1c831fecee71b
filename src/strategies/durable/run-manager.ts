import {
  changeableCopy,
  isEnd,
  type WfClaim,
  type WfHeldRun,
  type WfRefusal,
  type WfRunLink,
  type WfState,
} from '../../state'
import { acceptAnswer, type AcceptAnswerOptions, type AcceptedAnswer } from './accept-answer'
import { createRun, type CreateRunOptions } from './create-run'
import { DurableClaim } from './durable-claim'
import type { ResolvedDurableOptions } from './durable-options'
import { wholeOf } from './history-detail'
import { isLive } from './is-live'
import { liveLinks } from './live-links'
import { cancelRun, extendRun, type ManageRunOptions, retryRun } from './manage-run'
import type { RunEnds } from './run-ends'
import { isBetweenSteps, noteOf, type RunNote, withoutRunNote, withRunNote } from './run-note'
import { signalRun, type SignalRunOptions } from './signal-run'
import { dueAtOf } from './timer-note'
import type { KeyTaken } from './take-key'
import { updateRun } from './update-run'

/** What is done to durable runs by the application that they belong to, without any link. */
export class RunManager {
  readonly #options: ResolvedDurableOptions

  constructor(options: ResolvedDurableOptions) {
    this.#options = options
  }

  /**
   * Writes a run that is accepted: it will be begun by whoever holds what is given back, or taken up by
   * another process.
   *
   * @returns it, or the run that has its key
   */
  create(state: WfState, options: CreateRunOptions): Promise<KeyTaken> {
    return createRun(this.#options, state, options)
  }

  /** Goes on with a run that was created here. */
  begun(held: WfHeldRun, options: Pick<CreateRunOptions, 'input' | 'actor'>): WfClaim {
    const { input: answer, actor } = options
    const asker = { actor }
    const state = withoutRunNote(changeableCopy(held.run.state))
    const isAnswerLost = answer !== undefined && held.run.input === undefined
    return new DurableClaim(this.#options, { held, state, answer, asker, actor, isAnswerLost })
  }

  /**
   * Accepts an answer through a link, for whoever takes the run up.
   *
   * @throws WfError `WF_CONFIG`, `WF_NEEDS_REQUEST`
   */
  accept(handle: string, options: AcceptAnswerOptions): Promise<AcceptedAnswer | WfRefusal> {
    return acceptAnswer(this.#options, handle, options)
  }

  /**
   * The state of a run that is brought here from elsewhere, where its pause has this number.
   *
   * @returns it, which links belong to the pause, and what the history tells of both
   */
  readonly placed = async (flowId: string, state: WfState, pause: number) => {
    const note = noteOf(state)
    const whole = await wholeOf(state, this.#options.seal.digestFor(flowId))
    // What waits behind a step, and for no moment, has its last moment by its links.
    const now = Math.floor(this.#options.runs.clock.now())
    const dueAt = dueAtOf(note) ?? (isBetweenSteps(state) ? now : undefined)
    return note.pause === undefined
      ? { state, detail: whole, dueAt }
      : {
          dueAt,
          state: withRunNote(state, { ...note, pause, seats: seatsFrom(note, pause) }),
          isLive: (link: WfRunLink) => isLive(link, note),
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
   * Tells a run something that it waits for, or will wait for.
   *
   * @returns whether it waits for it now; `null` if there is no such run
   * @throws WfError `WF_TRANSITION` if it has ended, `WF_TOO_MANY`, `WF_STATE_TOO_LARGE`, `WF_STATE_INVALID`
   */
  signal(flowId: string, signal: SignalRunOptions): Promise<boolean | null> {
    return signalRun(this.#options, flowId, signal)
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
}

/** All parts that somebody has begin anew with the pause. */
function seatsFrom({ seats }: RunNote, pause: number): RunNote['seats'] {
  return seats && Object.fromEntries(Object.keys(seats).map(id => [id, pause]))
}
