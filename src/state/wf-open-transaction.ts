import type { WfHeldRun, WfRunStore } from './wf-run-store'

/**
 * A transaction of the database that runs are in, held open while a step works in it. It ends with a
 * commit of that run, or comes to nothing.
 */
export interface WfOpenTransaction {
  /** The database, as the application has opened it. */
  readonly space: object
  /** What `space.transaction()` gives. */
  readonly transaction: object
  /** The runs within it. */
  readonly runs: WfRunStore
  /**
   * Keeps all that was done in it.
   *
   * @param held the run, as it was committed within it
   * @throws WfError if nothing was kept; `WF_DB_UNAVAILABLE` also if nobody knows
   */
  commit(held: WfHeldRun): Promise<void>
  /** Keeps nothing. Whatever is still done in it fails. */
  rollBack(): Promise<void>
}
