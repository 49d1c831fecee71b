import type { WfFormAnswer } from '../../state'
import type { JournalledRun } from './journalled-run'

/** A run that is claimed. Its `state` is what the steps change. */
export interface ClaimedRun extends JournalledRun {
  readonly expiresAt?: number | undefined
  /** What an earlier request has left. */
  readonly answer?: WfFormAnswer | undefined
  /** What of both was written with the claim, sealed. */
  readonly kept?: string | undefined
  /** Something was answered that is not kept: without whoever has sent it, it is not there again. */
  readonly isAnswerLost?: boolean | undefined
}
