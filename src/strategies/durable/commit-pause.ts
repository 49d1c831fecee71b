import { jsonCopy, sha256, type WfPauseOptions, type WfState } from '../../state'
import { announcementOf } from './first-pause'
import { addressOf } from './message-address'
import type { DraftedMessage } from './outbox/message-queue'
import type { RunJournal } from './run-journal'
import { stepOf, withRunNote } from './run-note'
import { dueAtOf, timerOf } from './timer-note'
import { WENT_WELL } from './went-well'

/** How a run waits, and by which link. */
export interface PauseToCommit extends Pick<WfPauseOptions, 'audience' | 'message' | 'deadline'> {
  readonly handle: string
  readonly expiresAt: number | undefined
  /** When it is to be looked at, should nobody have answered. */
  readonly giveUpAt: number | undefined
  /** What announces it, where that is written with it. */
  readonly drafted?: DraftedMessage | undefined
  /** What must succeed first, where the step has a transaction. */
  readonly before?: (() => Promise<void>) | undefined
}

/** Commits a pause with its link, and with the message that announces it, if that is to be sent later. */
export async function commitPause(
  journal: RunJournal,
  next: WfState,
  { audience, message, deadline, handle, expiresAt, giveUpAt, drafted, before }: PauseToCommit,
): Promise<void> {
  const state = jsonCopy(next)
  const hash = await sha256(handle)
  const stepId = stepOf(state)
  const detail = {
    ...(await journal.changeTo(state)),
    ...announcementOf(message, drafted !== undefined),
  }
  const recipient = addressOf(message?.request)
  const events = [{ type: 'paused', to: 'paused', stepId, detail }] as const
  const former = journal.standing.isUntouched ? journal.note.timer : undefined
  const timer = timerOf(deadline, { stepId, expiresAt, former })
  const changeAt = (pause: number) => ({
    ...WENT_WELL,
    state: withRunNote(state, { pause, timer, giveUpAt }),
    dueAt: dueAtOf({ timer, giveUpAt }),
    stepId: stepId ?? null,
    links: [{ hash, pause, audience, recipient, expiresAt }],
    messages: drafted && [drafted.at(pause)],
  })
  await journal.commit(events, changeAt, before)
}

/** Commits that a run waits at the pause that it had, by the same links. */
export async function commitStay(journal: RunJournal, next: WfState): Promise<void> {
  const state = jsonCopy(next)
  const detail = await journal.changeTo(state)
  const { pause, timer, giveUpAt } = journal.note
  const stepId = stepOf(state)
  const events = [{ type: 'stayed', to: 'paused', stepId, detail }] as const
  const change = {
    ...WENT_WELL,
    state: withRunNote(state, { pause, timer, giveUpAt }),
    dueAt: dueAtOf({ timer, giveUpAt }),
    stepId: stepId ?? null,
  }
  await journal.commit(events, () => change)
}
