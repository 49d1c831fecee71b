import type { Clock } from './clock'
import type { WfOpenTransaction } from './wf-open-transaction'
import type { WfAudience } from './wf-claim'
import type { WfNewRunMessage, WfRunOutbox } from './wf-run-outbox'
import type { WfRunSignal, WfRunSignals } from './wf-run-signals'
import type { WfRunEvent, WfRunEventType } from './wf-run-event'
import type { WfRunStatus } from './wf-run-status'
import type { WfRowColumn } from './wf-row-column'
import type { WfState } from './wf-state'

/** A durable run, as its row has it. */
export interface WfStoredRun {
  readonly flowId: string
  readonly schemaId: string
  readonly status: WfRunStatus
  readonly stepId?: string | undefined
  /** The number of its last event. Moves with commits only. */
  readonly version: number
  /** A copy of its own for each reader. */
  readonly state: WfState
  /** What it was started with, sealed. */
  readonly input?: string | undefined
  /** What was answered, and who has asked, sealed, as long as a claim may need it. */
  readonly answer?: string | undefined
  /** One run at a time has it. */
  readonly runKey?: string | undefined
  readonly correlationId?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** How often the step at which it stands has failed, or has lost its process. */
  readonly attempts: number
  /** The next moment at which somebody must look, in milliseconds since the epoch. */
  readonly dueAt?: number | undefined
  readonly leaseUntil?: number | undefined
  readonly leaseOwner?: string | undefined
  /** How often it was claimed. */
  readonly claimSeq: number
  /** When the last of the links expires by which its pause can be answered, if they do; kept until the next pause. */
  readonly expiresAt?: number | undefined
  /** The name of the signal that it waits for. */
  readonly waitsFor?: string | undefined
  /** How many signals it has got. */
  readonly signalSeq: number
  readonly lastError?: Readonly<Record<string, unknown>> | undefined
  readonly result?: Readonly<Record<string, unknown>> | undefined
  readonly startedAt: number
  readonly startedBy?: string | undefined
  readonly lastStartedAt?: number | undefined
  /** For how long steps have run. */
  readonly activeMs: number
  readonly completedAt?: number | undefined
  readonly createdAt: number
  readonly updatedAt: number
  readonly createdBy?: string | undefined
  readonly lastUpdatedBy?: string | undefined
}

/** The right to answer at one pause. */
export interface WfRunLink {
  /** SHA-256 of the handle, which is stored nowhere. */
  readonly hash: string
  readonly flowId: string
  /** The number of the event with which the pause began. */
  readonly pause: number
  readonly recipient?: string | undefined
  readonly audience: WfAudience
  /** Whose part it answers, where several people are asked. */
  readonly seat?: string | undefined
  readonly expiresAt?: number | undefined
  readonly createdAt: number
  /** How often it was shown: by people, and by scanners of mails. */
  readonly opens?: number | undefined
  readonly openedAt?: number | undefined
}

/** A run that is to begin. */
export type WfNewRun = Pick<
  WfStoredRun,
  | 'flowId'
  | 'schemaId'
  | 'startedAt'
  | 'startedBy'
  | 'input'
  | 'runKey'
  | 'correlationId'
  | 'metadata'
>

/** An event that is to be written. Its number and its time are the store's. */
export interface WfNewRunEvent {
  readonly type: WfRunEventType
  readonly stepId?: string | undefined
  /** The status behind it, where it changes that. */
  readonly to?: WfRunStatus | undefined
  readonly detail?: Readonly<Record<string, unknown>> | undefined
  /** @default now */
  readonly at?: number | undefined
  /** @default that of the run; another one is refused */
  readonly schemaId?: string | undefined
}

/** A link that is to be written. Its time is the store's. */
export type WfNewRunLink = Omit<WfRunLink, 'flowId' | 'createdAt' | 'opens' | 'openedAt'>

/** A step of a run's life: all of it is written at once, or nothing. */
export interface WfRunChange {
  /** At least one. The status is what the last of them that names one says. */
  readonly events: readonly WfNewRunEvent[]
  /** @default as it was; a run that begins needs one */
  readonly state?: WfState | undefined
  /** Where it stands now; `null` for nowhere. @default where it stood */
  readonly stepId?: string | null | undefined
  readonly links?: readonly WfNewRunLink[] | undefined
  /** What announces a pause. Only where there is an outbox. */
  readonly messages?: readonly WfNewRunMessage[] | undefined
  /** Ids of messages of this run that are to go out once more, whatever became of them. */
  readonly sendAgain?: readonly string[] | undefined
  /** When the links of a pause expire that are there already. @default as they were */
  readonly linksUntil?: WfLinksUntil | undefined
  /** The name of the signal that it waits for; `null` for none. @default as it was */
  readonly waitsFor?: string | null | undefined
  /** Only if no signal has come since the run was read. */
  readonly unlessSignalled?: true | undefined
  /** The number of the signal that is taken with it. */
  readonly takenSignal?: number | undefined
  /** Signals that are to be kept: they were taken in vain, or come from elsewhere. */
  readonly signals?: readonly Omit<WfRunSignal, 'flowId'>[] | undefined
  /** Sealed: what is still needed while whoever writes goes on. @default nothing */
  readonly answer?: string | undefined
  /** Who has done it. @default no one */
  readonly actor?: string | undefined
  /** @default as it was */
  readonly attempts?: number | undefined
  /** `null` for none. @default as it was */
  readonly lastError?: Readonly<Record<string, unknown>> | null | undefined
  readonly result?: Readonly<Record<string, unknown>> | undefined
  /** @default nobody has to look */
  readonly dueAt?: number | undefined
  /** Somebody has to look now, by the clock of the database. */
  readonly isDue?: boolean | undefined
  /** Somebody has to look in so many milliseconds, by the same clock. */
  readonly dueInMs?: number | undefined
  /** For how long steps have run since the last commit. */
  readonly ranMs?: number | undefined
  /** Whoever writes goes on with the run, and holds it for so many milliseconds. @default lets go of it */
  readonly lease?: WfGoingOn | undefined
}

/** Until when links live on at least that are there already: what ends later, or never, is left as it is. */
export interface WfLinksUntil {
  /** The numbers of the events that they were made with. */
  readonly pauses: readonly number[]
  readonly expiresAt: number
}

/** How whoever writes a run goes on holding it. */
interface WfGoingOn extends WfLeaseOptions {
  /** It was held for so long just now: a store may leave the lease as it is. */
  readonly isFresh?: boolean | undefined
}

/** Who holds a run, and for how long by the clock of the store's database. */
export interface WfLeaseOptions {
  readonly owner: string
  readonly ms: number
}

/** How a run is claimed. */
export interface WfRunClaimOptions extends WfLeaseOptions {
  /** What was answered, sealed. */
  readonly answer?: string | undefined
  /**
   * Whoever dies meanwhile leaves no step behind: a run that waits is not due when the lease ends.
   *
   * @default false
   */
  readonly isOnlyChanged?: true | undefined
  /** Only if its moment has come, by the clock of the database. */
  readonly isDue?: true | undefined
}

/** A run that somebody must look at. */
export interface WfDueRun {
  readonly flowId: string
  readonly schemaId: string
  readonly dueAt: number
}

/** Which runs, the one that was started last first. */
export interface WfRunPageQuery {
  readonly schemaId?: string | undefined
  readonly status?: WfRunStatus | readonly WfRunStatus[] | undefined
  readonly correlationId?: string | undefined
  /** On columns of the row, where there are such. */
  readonly filter?: object | undefined
  readonly limit: number
  /** Those behind this one. */
  readonly after?: Pick<WfStoredRun, 'startedAt' | 'flowId'> | undefined
}

/** Which runs to count by a column, and how. */
export interface WfRunCountQuery {
  readonly filter: object
  /** How many values to tell of. @default 100 */
  readonly limit?: number | undefined
  /** Not each value, but each range of so many whole numbers, named by the first of them. */
  readonly every?: number | undefined
  /** A column whose smallest value is told with each count. */
  readonly least?: string | undefined
}

/** A value of a column, and how many runs have it. */
export interface WfRunCount {
  readonly value: unknown
  readonly count: number
  readonly least?: unknown
}

/** A run, and who may write it: its holder, or anyone while nobody holds it. */
export interface WfHeldRun {
  /** As it was read or committed last, with the number of this claim. */
  readonly run: WfStoredRun
  readonly owner?: string | undefined
}

/**
 * Where a durable strategy keeps its runs, their history, their links and their messages.
 *
 * A run, its events, its links and its messages change together or not at all. What is written is written under the
 * condition that nobody else has written since: whoever loses changes nothing and is told by `null` or
 * `false`. Leases run out by one clock, whichever process has written them. A store that cannot answer
 * throws. Flow ids and hashes may come from requests: what is none stands for nothing.
 *
 * `describeRunStore` of `@atscript/moost-wf/testing` tests each of these rules.
 */
export interface WfRunStore {
  /** Decides when links expire, and stamps rows. Leases go by the clock of the database. */
  readonly clock: Clock
  /** Where messages wait until they are delivered, if there is such a place. */
  readonly outbox?: WfRunOutbox | undefined
  /** Signals, if they are kept. */
  readonly signals?: WfRunSignals | undefined
  /**
   * Writes a new run. `null` if its id or its key is taken.
   *
   * @throws WfError `WF_TRANSITION`, `WF_MISMATCH`, `WF_STATE_INVALID`
   */
  begin(run: WfNewRun, change: WfRunChange): Promise<WfHeldRun | null>
  /**
   * Ends a run, and writes a new one that has its key: both, or neither. `null` if another has written or
   * claimed the former since.
   *
   * @throws WfError `WF_TRANSITION`, `WF_MISMATCH`, `WF_STATE_INVALID`
   */
  supersede(
    former: WfHeldRun,
    end: WfRunChange,
    run: WfNewRun,
    change: WfRunChange,
  ): Promise<WfHeldRun | null>
  /** @param options.everywhere whichever tenant's it is: for whoever goes on with runs by itself */
  find(
    flowId: string,
    options?: { readonly everywhere?: boolean | undefined },
  ): Promise<WfStoredRun | null>
  findByKey(runKey: string): Promise<WfStoredRun | null>
  findByLink(
    hash: string,
    options?: { readonly everywhere?: boolean | undefined },
  ): Promise<{ readonly link: WfRunLink; readonly run: WfStoredRun } | null>
  /**
   * Takes a run that nobody holds, or whose holder has not been heard of for too long. One of any
   * number of callers at once gets it. Neither the version nor the history moves; that a holder was
   * lost counts as an attempt, and is the last error: `{ code: 'WF_LOST', at, times }`.
   *
   * @param run as it was read
   */
  claim(run: WfStoredRun, options: WfRunClaimOptions): Promise<WfHeldRun | null>
  /** Holds a run for longer. `false` if another has it by now. */
  renew(held: WfHeldRun, ms: number): Promise<boolean>
  /** Lets go of a run as if it had never been claimed. `false` if another has it by now. */
  release(held: WfHeldRun): Promise<boolean>
  /**
   * Writes what has become of a run. `null` if another has written or claimed it since.
   *
   * @throws WfError `WF_TRANSITION`, `WF_MISMATCH`, `WF_STATE_INVALID`
   */
  commit(held: WfHeldRun, change: WfRunChange): Promise<WfHeldRun | null>
  /** Runs whose moment has come by the clock of the database, of all tenants, the latest last. */
  due(limit: number): Promise<readonly WfDueRun[]>
  /**
   * The earliest `dueAt` of all runs, those that are due included, if it comes within so many milliseconds by
   * the clock of the database.
   */
  nextDue(withinMs: number): Promise<number | undefined>
  /** All that has happened to a run, the oldest first. */
  history(flowId: string): Promise<readonly WfRunEvent[]>
  /** All links that a run has had. */
  links(flowId: string): Promise<readonly WfRunLink[]>
  /**
   * Counts that a link was shown, if that is counted. Neither its run nor the history moves. Of many at once a few
   * may be missed.
   */
  noteOpened?(hash: string): Promise<void>
  /** Many runs at once. What is not there is not in the list. */
  getMany(flowIds: readonly string[]): Promise<readonly WfStoredRun[]>
  /** Runs by the time of their start, and among those of one moment by their id. */
  page(query: WfRunPageQuery): Promise<readonly WfStoredRun[]>
  /**
   * Looks after a run later that is due and cannot go on now. Neither its version nor its history moves.
   *
   * @returns `false` if it has moved on, or is not due
   */
  postpone(
    run: WfStoredRun,
    ms: number,
    lastError: Readonly<Record<string, unknown>>,
  ): Promise<boolean>
  /** Removes runs that have ended until then, with all that belongs to them, and says how many. */
  removeEnded(options: {
    readonly endedUntil: number
    readonly limit?: number | undefined
  }): Promise<number>
  /** Whether everybody may see every run at present; where a `find` has to tell, `false`. @default false */
  isForAll?(): boolean
  /** How many runs match, where they can be counted. */
  count?(query: { readonly filter: object }): Promise<number>
  /** How many runs have each value of a column, or each range of values: see `countBy` of a table. */
  countBy?(column: string, query: WfRunCountQuery): Promise<readonly WfRunCount[]>
  /** The columns of its rows that may be shown, where there are such: shadow columns have a `path`. */
  columns?(): readonly WfRowColumn[]
  /**
   * The same runs within a transaction of the same database, if there are such.
   *
   * @throws WfError `WF_CONFIG` for what is none
   */
  within?(transaction: object): WfRunStore
  /** Opens a transaction of the same database, if there are such, for what is committed with a run. */
  openTransaction?(): Promise<WfOpenTransaction>
}
