import type { WfPauseOptions, WfSeatMessage, WfState, WfStayOptions } from '../../../state'
import {
  commitPause,
  commitStay,
  type LinkToCommit,
  onlyLink,
  type PauseToCommit,
} from '../commit-pause'
import { addressOf } from '../message-address'
import type { RunJournal } from '../run-journal'
import type { DraftedMessage, MessageQueue } from './message-queue'

/** What is to wait in the queue: the message of a pause that goes to someone else. */
export const isToBeQueued = ({ audience, message, each }: WfPauseOptions): boolean =>
  audience === 'out-of-band' && (message !== undefined || each !== undefined)

/** Commits a pause with the messages that announce it: all of them are there, or nothing is. */
export function queuePause(
  queue: MessageQueue,
  journal: RunJournal,
  next: WfState,
  { audience, message, deadline, prepare, each }: WfPauseOptions,
  until: Pick<PauseToCommit, 'expiresAt' | 'giveUpAt'>,
): Promise<void> {
  const { flowId } = journal
  const how = { audience, deadline, ...until }
  const { expiresAt } = until
  if (each) {
    return queue.announceEach({
      flowId,
      messages: each,
      expiresAt,
      write: drafts => {
        const [first] = each
        return commitPause(journal, next, {
          ...how,
          message: first?.message,
          links: linksFor(each, drafts),
        })
      },
    })
  }
  return queue.announce({
    flowId,
    message: message!,
    expiresAt,
    prepare,
    write: drafted => {
      const links = onlyLink(message, drafted.handle, drafted)
      return commitPause(journal, next, { ...how, message, links })
    },
  })
}

/** Commits that a pause stays, with the messages to those whom it asks anew. */
export function queueStay(
  queue: MessageQueue,
  journal: RunJournal,
  next: WfState,
  { each = [], ...how }: WfStayOptions,
  expiresAt: number | undefined,
): Promise<void> {
  const { flowId } = journal
  return queue.announceEach({
    flowId,
    messages: each,
    expiresAt,
    write: drafts =>
      commitStay(journal, next, { ...how, expiresAt, links: linksFor(each, drafts) }),
  })
}

function linksFor(
  each: readonly WfSeatMessage[],
  drafts: readonly DraftedMessage[],
): LinkToCommit[] {
  return each.map(({ seat, message }, index) => {
    const drafted = drafts[index]!
    return { handle: drafted.handle, recipient: addressOf(message.request), seat, drafted }
  })
}
