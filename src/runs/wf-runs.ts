import type { WfRowColumn, WfRunCount, WfRunEvent } from '../state'
import type { WfDueReport, WfRunDueOptions, WfWorkerOptions } from '../worker'
import type { WfAnsweredRun, WfAnswerRunOptions } from './answer-run'
import type { WfResultOptions, WfRunEnd } from './await-result'
import type { WfRestoreRunOptions } from './restore-run'
import type { WfReissueRunOptions, WfRunLinkView } from './run-links'
import type { WfRunCountByOptions } from './count-runs'
import type { WfRunListOptions, WfRunPage } from './run-pages'
import type { WfRunSnapshot } from './run-snapshot'
import type { WfReassignOptions, WfResendOptions } from './resend'
import type { WfRunMessageContent } from './read-message'
import type { WfRunMessageView } from './run-messages'
import type { WfRunView } from './run-view'
import type { WfStartedRun, WfStartRunOptions } from './start-run'

/** Part of what: a transaction of the same database, or on its own. */
export interface WfInTransaction {
  /** What `space.transaction()` gives. */
  readonly transaction?: object | undefined
}

/** Who changes a run, and as a part of what. */
export interface WfChangeRunOptions extends WfInTransaction {
  readonly actor?: string | undefined
}

/** The same, and why. */
export interface WfEndRunOptions extends WfChangeRunOptions {
  /** Kept in the history. */
  readonly reason?: string | undefined
}

/** How what goes on by itself is stopped. */
export interface WfStopOptions {
  /** Milliseconds in which it may come to its next pause or its end. @default 10 seconds */
  readonly graceMs?: number | undefined
}

/** Durable runs, for the application that they belong to. A flow id is no capability: check who asks. */
export interface WfRuns<Filter = object> {
  /**
   * Starts a run and does not wait for it: it is there when this returns, and goes on whatever becomes
   * of this process. Its steps have no HTTP request, and nobody to show a form to.
   *
   * @throws WfError `WF_UNKNOWN`, `WF_NOT_ALLOWED`, `WF_STATE_INVALID`; `WF_ALREADY_ACTIVE` with `flowId`
   */
  start(wfid: string, options?: WfStartRunOptions): Promise<WfStartedRun>
  /**
   * Answers for whoever has a link, by its token, and does not wait: the answer is accepted when this
   * returns, and the run goes on whatever becomes of this process. Its steps have no HTTP request.
   *
   * @throws WfError for a link that cannot be answered: `WF_USED`, `WF_EXPIRED`, `WF_WRONG_BROWSER`, …;
   * `WF_CONFLICT` if somebody answers at the same moment; {@link WfAnswerNotTaken} for what its form does not
   * take; `WF_NEEDS_REQUEST` for an answer with a secret, which must not be kept; `WF_CONFIG` where the strategy
   * has no `secret` to keep answers by
   */
  answer(token: string, options: WfAnswerRunOptions): Promise<WfAnsweredRun>
  get(flowId: string, options?: WfInTransaction): Promise<WfRunView | null>
  /** In one query. What is not there is not in the list. */
  getMany(flowIds: readonly string[], options?: WfInTransaction): Promise<readonly WfRunView[]>
  /** The one that was started last first. */
  list(options?: WfRunListOptions<Filter> & WfInTransaction): Promise<WfRunPage>
  /**
   * How many runs match a filter on the columns of your row.
   *
   * @throws WfError `WF_CONFIG` where runs are in no table
   */
  count(filter?: Filter): Promise<number>
  /**
   * How many runs have each value of a column, the most frequent first; with `every`, each range of so many
   * whole numbers, named by the first of them. `least` is a column whose smallest value is told with each.
   *
   * @throws WfError `WF_CONFIG` where runs are in no table
   */
  countBy(column: string, options?: WfRunCountByOptions<Filter>): Promise<readonly WfRunCount[]>
  /**
   * Waits for the end of a run.
   *
   * @returns `null` if there is no such run
   * @throws WfError `WF_TIMEOUT`
   */
  result(flowId: string, options?: WfResultOptions): Promise<WfRunEnd | null>
  /**
   * Ends a run at once. Whoever works on it is told by the signal of its step, and cannot commit any more.
   *
   * @returns whether it was not cancelled before; `null` if there is no such run
   * @throws WfError `WF_TRANSITION` if it has ended otherwise
   */
  cancel(flowId: string, options?: WfEndRunOptions): Promise<boolean | null>
  /**
   * Lets a run go on that has failed.
   *
   * @returns whether there is such a run
   * @throws WfError `WF_TRANSITION`, `WF_CONFLICT`
   */
  retry(flowId: string, options?: WfEndRunOptions): Promise<boolean>
  /**
   * Lets the links of a run that waits live for so long from now, also those that have expired.
   *
   * @returns whether there is such a run, and it waits
   * @throws WfError `WF_CONFLICT`
   */
  extend(flowId: string, options: WfChangeRunOptions & { readonly ttlMs: number }): Promise<boolean>
  /**
   * Tells a run something. If it waits for that name (`waitFor`), its step runs again with the payload as its
   * input; if not, the signal is kept until it does. Signals of one name are taken in the order in which
   * they came, each once. They are for your server: no pause that has links is answered by one.
   *
   * @param payload JSON of at most 64 KB; @default {}
   * @returns whether it waits for it now; `null` if there is no such run
   * @throws WfError `WF_TRANSITION` if the run has ended, `WF_TOO_MANY` if it keeps 100, `WF_STATE_TOO_LARGE`,
   * `WF_STATE_INVALID`, `WF_CONFLICT`; `WF_CONFIG` where there is no table for signals
   */
  signal(
    flowId: string,
    name: string,
    payload?: unknown,
    options?: WfChangeRunOptions,
  ): Promise<boolean | null>
  /** The links by which a run can be answered now, the one that was made last first. */
  links(flowId: string): Promise<readonly WfRunLinkView[]>
  /**
   * Gives a run that waits a new link, and has it sent. The former ones are dead: whoever comes with one
   * is told `WF_SUPERSEDED`. Where it asks several people, name the one who gets it.
   *
   * @returns its version now; `null` if there is no such run, or it does not wait, or not for that person
   * @throws WfError `WF_EXPIRED`, `WF_CONFLICT`; what `deliver` throws
   */
  reissue(flowId: string, options: WfReissueRunOptions): Promise<number | null>
  /** The messages that were written to announce its pauses, the oldest first; none without an outbox. */
  messages(flowId: string, options?: WfInTransaction): Promise<readonly WfRunMessageView[]>
  /**
   * What a message says, to show it to somebody: as long as it is kept, also when its run has ended. Neither its
   * link nor its code is in it.
   *
   * @returns `null` if the run has no such message
   * @throws WfError `WF_CONFIG` if it was sealed by a secret that is gone
   */
  readMessage(flowId: string, messageId: string): Promise<WfRunMessageContent | null>
  /**
   * Sends a message again for which somebody still waits: one that never arrived as it was, one that did as
   * another message with the same link.
   *
   * @returns its run's version now; `null` if there is no such message
   * @throws WfError `WF_TRANSITION` if nobody waits for it any more, `WF_EXPIRED`, `WF_CONFLICT`
   */
  resend(messageId: string, options?: WfResendOptions): Promise<number | null>
  /**
   * Gives the part of somebody who is asked to somebody else, who gets the same message with a link of their own. The
   * former link is dead: whoever comes with it is told `WF_REVOKED`.
   *
   * @returns the run's version now; `null` if there is no such run, or no outbox
   * @throws WfError `WF_TRANSITION` if that part is not to be had, because they have answered for example;
   * `WF_EXPIRED`, `WF_CONFLICT`
   */
  reassign(flowId: string, options: WfReassignOptions): Promise<number | null>
  /** The columns of the rows of runs that may be shown, and filtered by; none where there are no rows. */
  columns(): readonly WfRowColumn[]
  /**
   * Changes the context of a run that nobody works on, and holds the run meanwhile.
   *
   * @returns its version now; `null` if there is no such run
   * @throws WfError `WF_CONFLICT` for a version that is not the present one; `WF_TRANSITION`
   */
  update(
    flowId: string,
    expectedVersion: number,
    change: (context: unknown) => unknown,
    options?: WfChangeRunOptions,
  ): Promise<number | null>
  /**
   * Notes what a step has come to elsewhere, as `steps[stepId]` of the context. Results that arrive at the
   * same time are all there in the end.
   *
   * @returns the run's version now; `null` if there is no such run
   */
  recordStepResult(
    flowId: string,
    stepId: string,
    output: unknown,
    options?: WfChangeRunOptions,
  ): Promise<number | null>
  /**
   * All that has happened to a run, the oldest first, and what became of its messages, each with the number of
   * the pause that it announces.
   */
  history(flowId: string, options?: WfInTransaction): Promise<readonly WfRunEvent[]>
  /** A run as plain JSON, complete. */
  getSnapshot(flowId: string, options?: WfInTransaction): Promise<WfRunSnapshot | null>
  /**
   * Brings a run here from a snapshot. It goes on here, by the links that it had.
   *
   * @returns its id
   * @throws WfError `WF_MISMATCH`, `WF_STATE_INVALID`, `WF_CONFLICT`
   */
  restore(snapshot: WfRunSnapshot, options: WfRestoreRunOptions & WfInTransaction): Promise<string>
  /**
   * Does what is due now, the earliest first: goes on with runs whose process has died or whose moment has
   * come. For a scheduler of yours; any number of processes may do so at once.
   */
  runDue(options?: WfRunDueOptions): Promise<WfDueReport>
  /**
   * Goes on with one run, if it is its turn, for the consumer of a queue.
   *
   * @returns `done: false` for one whose budget was over before its next pause or its end: send it again
   */
  execute(
    flowId: string,
    options?: Pick<WfRunDueOptions, 'budgetMs'>,
  ): Promise<{ readonly done: boolean }>
  /** Does what is due as long as the application runs, where `worker` is `false`. */
  startWorker(options?: WfWorkerOptions): void
  /**
   * Does nothing by itself any more, and waits for what was begun here. Runs that are not done when the grace
   * is over are handed on behind the step at which they are, whose signal fires: they are due at once, for
   * other processes or the next start.
   */
  stop(options?: WfStopOptions): Promise<void>
}
