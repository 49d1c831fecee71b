import type { WfAudience } from './wf-claim'

/** How a run has paused for the first time, as far as whoever had started it could see that. */
export interface WfFirstPause {
  /** `nobody`: it waited for a machine, or for a moment. */
  readonly audience: WfAudience | 'nobody'
  /** The outlet that has delivered it. */
  readonly outlet: string
  /** For how long it could be answered, in milliseconds. */
  readonly ttlMs?: number | undefined
  /** It can be watched. */
  readonly isWatched: boolean
  /** A code came beside its link. */
  readonly hasCode: boolean
  /** Its link is for the browser in which it was asked for. */
  readonly isBound: boolean
  /** Its message was to be delivered later. */
  readonly isQueued: boolean
  /** How long it took until then, in milliseconds. */
  readonly tookMs: number
}
