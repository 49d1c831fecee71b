import { WfError } from '../../errors'
import {
  type Awaitable,
  isAwaited,
  isEnd,
  jsonCopy,
  notesOf,
  type WfHeldRun,
  type WfNewRunEvent,
  type WfRunChange,
  type WfRunStore,
  type WfRunSignal,
  type WfState,
  whenKnown,
} from '../../state'
import { answeredAt, answeredBy, chosenBy } from './answer-detail'
import { beginDurableRun, firstEventOf } from './begin-durable-run'
import type { ResolvedDurableOptions } from './durable-options'
import { contextChange, type Digest, wholeOf } from './history-detail'
import type { JournalledRun, Standing } from './journalled-run'
import { foundLost } from './found-lost'
import { lossOf } from './lost-run'
import { RunLoss } from './run-loss'
import { noteOf, type RunNote, withoutRunNote, withRunNote } from './run-note'
import { StepTransaction } from './step-transaction'

/** What is to be written of a run. */
interface Entry {
  readonly events: readonly WfNewRunEvent[]
  /** By the version that the run will have. */
  readonly changeAt: (version: number) => Omit<WfRunChange, 'events' | 'actor'>
}

/** What is written of a run while a claim holds it, commit by commit. */
export class RunJournal {
  readonly #options: ResolvedDurableOptions
  readonly #run: JournalledRun
  readonly #loss = new RunLoss()
  /** What the step that runs does in the same database. */
  readonly transaction: StepTransaction
  #standing: Standing
  #since: number
  #leasedAt: number
  #deferred: Entry | undefined
  #unsettled: unknown

  constructor(options: ResolvedDurableOptions, run: JournalledRun) {
    const { held, state } = run
    this.#options = options
    this.#run = run
    this.transaction = new StepTransaction(options.runs, this.#loss)
    const committed = held ? withoutRunNote(held.run.state) : jsonCopy(state)
    this.#standing = { held, state: committed, isUntouched: true }
    this.#since = options.runs.clock.now()
    this.#leasedAt = this.#since
  }

  get standing(): Standing {
    return this.#standing
  }

  /** The run, if it is written and no other has it by now. */
  get held(): WfHeldRun | undefined {
    return this.isLost ? undefined : this.#standing.held
  }

  /** Fires when another has the run. */
  get signal(): AbortSignal {
    return this.#loss.signal
  }

  /** Since when steps have run that are not committed. */
  get since(): number {
    return Math.floor(this.#since)
  }

  get note(): RunNote {
    const { held } = this.#standing
    return held ? noteOf(held.run.state) : {}
  }

  get flowId(): string {
    return this.#standing.held?.run.flowId ?? notesOf(this.#standing.state)?.flow.flowId ?? ''
  }

  /** What the run goes on with, unless that is behind it. */
  get awaited(): WfRunSignal | undefined {
    return this.#standing.isUntouched ? this.#run.awaited : undefined
  }

  get digest(): Digest {
    return this.#options.seal.digestFor(this.flowId)
  }

  /** Another has the run. */
  get isLost(): boolean {
    return this.#loss.error !== undefined
  }

  /** The lease by which this process goes on. Heartbeats renew it as often. */
  get lease(): NonNullable<WfRunChange['lease']> {
    const { owner, leaseMs, runs } = this.#options
    const isFresh = runs.clock.now() - this.#leasedAt < leaseMs / 3
    return { owner, ms: leaseMs, isFresh: isFresh && this.#standing.held !== undefined }
  }

  /** Holds the run for longer. `false` if another has it by now. */
  async renew(): Promise<boolean> {
    const { leaseMs, runs } = this.#options
    const { held } = this.#standing
    const now = runs.clock.now()
    const isHeld = held !== undefined && (await runs.renew(held, leaseMs))
    if (isHeld) this.#leasedAt = now
    return isHeld
  }

  /** Whether this is what a commit has thrown of which nobody knows whether it was carried out. */
  isUnsettled(error: unknown): boolean {
    return error !== undefined && error === this.#unsettled
  }

  /** The step takes too long: its process no longer counts as alive. */
  giveUp(): void {
    this.#loss.tell(new WfError('WF_TIMEOUT', 'This step has taken too long.'))
  }

  /** Another has the run. @returns what whoever has lost it is told */
  async lose(): Promise<WfError> {
    return this.#loss.tell(lossOf(await foundLost(this.#options.runs, this.#standing.held)))
  }

  /** What the history tells of the way from the last commit to this state. */
  changeTo({ context, indexes }: WfState): Awaitable<Readonly<Record<string, unknown>>> {
    const { state } = this.#standing
    return whenKnown(contextChange(state.context, context, this.digest), change =>
      Object.assign({ indexes } as Record<string, unknown>, change),
    )
  }

  /**
   * Writes what has happened, behind what the claim itself has to tell.
   *
   * @param changeAt what changes, by the version that it will have
   * @param before what must succeed first, where a step has a transaction
   * @throws WfError `WF_CONFLICT` if another has the run by now, `WF_REVOKED` if it was cancelled
   */
  async commit(
    events: Entry['events'],
    changeAt: Entry['changeAt'],
    before?: () => Promise<void>,
  ): Promise<void> {
    if (this.#loss.error) throw this.#loss.error
    const deferred = this.#deferred
    this.#deferred = undefined
    const happened = deferred ? [...deferred.events, ...events] : events
    const opening = this.#opening(happened)
    const all = [...(isAwaited(opening) ? await opening : opening), ...happened]
    const version = (this.#standing.held?.run.version ?? 0) + all.length
    const now = this.#options.runs.clock.now()
    const { actor } = this.#run
    const ranMs = now - this.#since
    const behind = deferred?.changeAt(version)
    const takenSignal = isInVain(happened) ? undefined : this.awaited?.seq
    const told = { events: all, actor, ranMs, takenSignal }
    const change: WfRunChange = Object.assign({}, behind, changeAt(version), told)
    let held: WfHeldRun | null
    try {
      held = await this.#write(change, before)
    } catch (error) {
      if (isUnsure(error)) this.#unsettled = error
      throw error
    }
    if (!held) throw await this.lose()
    const state = change.state ? withoutRunNote(change.state) : this.#standing.state
    this.#standing = { held, state, isUntouched: false }
    this.#since = now
    if (change.lease && !change.lease.isFresh) this.#leasedAt = now
    this.#options.due.tellOf(change)
    if (isEnd(held.run.status)) this.#options.ends.tell(held.run.flowId, held.run)
  }

  /** Lets something be written with the next commit, whatever that is. */
  defer(events: Entry['events'], changeAt: Entry['changeAt']): void {
    this.#deferred = { events, changeAt }
  }

  /** Writes what waits for a commit, if there is anything. */
  async writeDeferred(): Promise<void> {
    if (this.#deferred) await this.commit([], () => ({}))
  }

  /** The step that runs has come to nothing. One that waits for a commit has not. */
  async undoStep(): Promise<void> {
    if (!this.#deferred) await this.transaction.rollBack()
  }

  #write(change: WfRunChange, before?: () => Promise<void>): Promise<WfHeldRun | null> {
    if (!this.transaction.isOpen) return this.#writeTo(this.#options.runs, change)
    return this.transaction.commit(runs => this.#writeTo(runs, change), before)
  }

  #writeTo(runs: WfRunStore, change: WfRunChange): Promise<WfHeldRun | null> {
    const { held, state } = this.#standing
    if (held) return runs.commit(held, change)
    const { runKey, input } = this.#run
    const whole = { ...change, state: change.state ?? withRunNote(state, {}) }
    return beginDurableRun({ ...this.#options, runs }, { state, runKey, input }, whole)
  }

  /** What is told with the first commit of a claim: one that comes to nothing leaves no trace. */
  #opening(happened: readonly WfNewRunEvent[]): Awaitable<WfNewRunEvent[]> {
    const { held, state, isUntouched } = this.#standing
    if (!isUntouched) return []
    if (!held) {
      const type = firstEventOf(state)
      return whenKnown(wholeOf(state, this.digest), detail => [{ type, to: 'active', detail }])
    }
    const [first] = happened
    const { recovered, woken, action, awaited } = this.#run
    const { status } = held.run
    if (status === 'created' && !recovered) return [{ type: 'started', to: 'active' }]
    // That its pause is over was written before anything else.
    if (woken === 'deadline') return []
    const taken = awaited && !isInVain(happened) ? [signalled(awaited)] : []
    if (woken) return [...taken, { type: 'resumed', detail: { reason: woken }, to: 'active' }]
    const type = recovered ? 'recovered' : 'resumed'
    const reason =
      recovered?.reason === 'stuck_completed' && first?.type === 'workflow_completed'
        ? { reason: 'stuck_terminal' }
        : {}
    // What was accepted before has been told of then.
    const answered = recovered?.reason === 'answered' ? {} : answeredAt(state, this.since)
    const detail = { ...recovered, ...reason, ...chosenBy(action), ...answered }
    const opened: WfNewRunEvent = { type, detail, to: status === 'active' ? undefined : 'active' }
    return this.#withAnswer([...taken, opened])
  }

  /** Several people are asked: the history tells what each has answered. */
  #withAnswer(events: WfNewRunEvent[]): Awaitable<WfNewRunEvent[]> {
    const { said, asker } = this.#run
    const { held, state } = this.#standing
    // What was accepted was told of then, and what a step has failed with, when it did.
    const isTold = said?.isTold || held?.run.status !== 'paused'
    if (said?.seat === undefined || isTold) return events
    const telling = answeredBy(state, said, this.since, this.digest, asker?.actor)
    return whenKnown(telling, told => [...events, ...told])
  }
}

/** Whether nothing has come of what was begun: what it was begun with is there still. */
function isInVain(happened: readonly WfNewRunEvent[]): boolean {
  return happened.some(
    ({ to, type }) => type === 'step_failed' || type === 'waiting' || to === 'failed',
  )
}

function signalled({ name, sentBy, createdAt }: WfRunSignal): WfNewRunEvent {
  const detail = { name, at: createdAt, ...(sentBy !== undefined && { by: sentBy }) }
  return { type: 'signalled', detail }
}

/** A store that does not answer may have written. What it has refused it has not. */
function isUnsure(error: unknown): boolean {
  return !(error instanceof WfError) || error.code === 'WF_DB_UNAVAILABLE'
}
