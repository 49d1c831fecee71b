import type { WfPauseOptions, WfState } from '../../../state'
import { commitPause, type PauseToCommit } from '../commit-pause'
import type { RunJournal } from '../run-journal'
import type { MessageQueue } from './message-queue'

/** What is to wait in the queue: the message of a pause that goes to someone else. */
export const isToBeQueued = ({ audience, message }: WfPauseOptions): boolean =>
  audience === 'out-of-band' && message !== undefined

/** Commits a pause with the message that announces it: both are there, or neither. */
export function queuePause(
  queue: MessageQueue,
  journal: RunJournal,
  next: WfState,
  { audience, message, deadline, prepare }: WfPauseOptions,
  { expiresAt, giveUpAt }: Pick<PauseToCommit, 'expiresAt' | 'giveUpAt'>,
): Promise<void> {
  const { flowId } = journal
  return queue.announce({
    flowId,
    message: message!,
    expiresAt,
    prepare,
    write: drafted => {
      const { handle } = drafted
      return commitPause(journal, next, {
        audience,
        message,
        deadline,
        handle,
        expiresAt,
        giveUpAt,
        drafted,
      })
    },
  })
}
