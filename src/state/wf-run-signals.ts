import type { WfStoredRun } from './wf-run-store'

/** What a machine has told a run, kept until the run waits for it. */
export interface WfRunSignal {
  readonly flowId: string
  /** In which order it came, among those of its run. */
  readonly seq: number
  readonly name: string
  /** What it brings: JSON, sealed where the strategy has a secret. */
  readonly payload: string
  /** Who has sent it. */
  readonly sentBy?: string | undefined
  readonly createdAt: number
}

/**
 * The signals of runs. They come as commits of the row of their run, which counts them: whoever lets that run
 * wait is refused, or finds it due, if one has come since it was read. They go with the commit that takes them.
 */
export interface WfRunSignals {
  /**
   * Keeps a signal. If the run waits for it, somebody has to look at the run now.
   *
   * @returns `null` if the run was written since it was read, or got another signal
   */
  add(
    run: WfStoredRun,
    signal: Pick<WfRunSignal, 'name' | 'payload' | 'sentBy'>,
  ): Promise<WfRunSignal | null>
  /** The one of a name that came first. */
  next(flowId: string, name: string): Promise<WfRunSignal | null>
  /** Which are kept of a run, without what they bring. */
  kept(flowId: string): Promise<readonly Pick<WfRunSignal, 'seq' | 'name'>[]>
  /** All that are kept of a run, in the order in which they came. */
  of(flowId: string): Promise<readonly WfRunSignal[]>
}
