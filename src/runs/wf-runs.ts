import type { WfRunEvent } from '../state'
import type { WfResultOptions, WfRunEnd } from './await-result'
import type { WfRecoverOptions, WfRecoverReport } from './recovery'
import type { WfRunView } from './run-view'
import type { WfStartedRun, WfStartRunOptions } from './start-run'

/** Part of what: a transaction of the same database, or on its own. */
export interface WfInTransaction {
  /** What `space.transaction()` gives. */
  readonly transaction?: object | undefined
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
  get(flowId: string, options?: WfInTransaction): Promise<WfRunView | null>
  /**
   * Waits for the end of a run.
   *
   * @returns `null` if there is no such run
   * @throws WfError `WF_TIMEOUT`
   */
  result(flowId: string, options?: WfResultOptions): Promise<WfRunEnd | null>
  /** All that has happened to a run, the oldest first. */
  history(flowId: string, options?: WfInTransaction): Promise<readonly WfRunEvent[]>
  /** Goes on with what is stuck now. Any number of processes may do so at once. */
  recover(options?: WfRecoverOptions): Promise<WfRecoverReport>
  /** Looks after runs no more, and waits for those that were taken up here. */
  stop(): Promise<void>
}
