import type { WfAsker, WfFormAnswer, WfHeldRun, WfRunSignal, WfState } from '../../state'
import type { Beginning } from './begin-durable-run'

/** A run that a claim goes on with. */
export interface JournalledRun extends Beginning {
  /** `undefined` for one that is written nowhere yet. */
  readonly held?: WfHeldRun | undefined
  /** Its process had died, or nobody had asked for it: why it goes on by itself. */
  readonly recovered?: Readonly<Record<string, unknown>> | undefined
  /** Its moment has come: what for. */
  readonly woken?: 'retry' | 'delay' | 'deadline' | undefined
  /** Who goes on with it. */
  readonly actor?: string | undefined
  /** What they have chosen. */
  readonly action?: string | undefined
  /** What it had waited for. */
  readonly awaited?: WfRunSignal | undefined
  /** Who has asked, now or then. */
  readonly asker?: WfAsker | undefined
  /** What one of several people has answered, for the history. */
  readonly said?: WfFormAnswer | undefined
}

/** Where a run stood by its last commit. */
export interface Standing {
  readonly held: WfHeldRun | undefined
  /** What steps have done since does not count. */
  readonly state: WfState
  /** Nothing was committed by this claim yet. */
  readonly isUntouched: boolean
}
