import {
  jsonCopy,
  sha256,
  type WfNewRunEvent,
  type WfPauseOptions,
  type WfRunLink,
  type WfState,
  type WfStayOptions,
} from '../../state'
import { announcementOf } from './first-pause'
import { addressOf } from './message-address'
import type { DraftedMessage } from './outbox/message-queue'
import type { RunJournal } from './run-journal'
import { type RunNote, stepOf, withRunNote } from './run-note'
import { dueAtOf, timerOf } from './timer-note'
import { WENT_WELL } from './went-well'

/** A link that is written with a pause, and the message that carries it, if that is to be sent later. */
export interface LinkToCommit {
  readonly handle: string
  readonly recipient: string | undefined
  /** Whose part it answers, where several people are asked. */
  readonly seat?: string | undefined
  readonly drafted?: DraftedMessage | undefined
}

/** How a run waits, and by which links. */
export interface PauseToCommit extends Pick<WfPauseOptions, 'audience' | 'message' | 'deadline'> {
  readonly links: readonly LinkToCommit[]
  readonly expiresAt: number | undefined
  /** When it is to be looked at, should nobody have answered. */
  readonly giveUpAt: number | undefined
  /** What must succeed first, where the step has a transaction. */
  readonly before?: (() => Promise<void>) | undefined
}

/** Commits a pause with its links, and with the messages that announce it, if those are to be sent later. */
export async function commitPause(
  journal: RunJournal,
  next: WfState,
  { audience, message, deadline, links, expiresAt, giveUpAt, before }: PauseToCommit,
): Promise<void> {
  const state = jsonCopy(next, journal.standing.state)
  const linksAt = await linksOf(links, { audience, expiresAt })
  const stepId = stepOf(state)
  const detail = {
    ...(await journal.changeTo(state)),
    ...announcementOf(message, links[0]?.drafted !== undefined),
    ...askedIn(links),
  }
  const events = [{ type: 'paused', to: 'paused', stepId, detail }] as const
  const former = journal.standing.isUntouched ? journal.note.timer : undefined
  const timer = timerOf(deadline, { stepId, expiresAt, former })
  const changeAt = (pause: number) => ({
    ...WENT_WELL,
    state: withRunNote(state, { pause, seats: seatsAt(links, pause), timer, giveUpAt }),
    dueAt: dueAtOf({ timer, giveUpAt }),
    stepId: stepId ?? null,
    ...linksAt(pause),
  })
  await journal.commit(events, changeAt, before)
}

/** What becomes of the links of a pause that stays. */
export interface StayToCommit extends Pick<WfStayOptions, 'ended' | 'reassigned'> {
  readonly links: readonly LinkToCommit[]
  readonly expiresAt: number | undefined
}

const AS_IT_WAS: StayToCommit = { links: [], expiresAt: undefined }

/** Commits that a run waits at the pause that it had, by the same links, but for those of whom it asks anew. */
export async function commitStay(
  journal: RunJournal,
  next: WfState,
  { links, expiresAt, ended = [], reassigned }: StayToCommit = AS_IT_WAS,
): Promise<void> {
  const state = jsonCopy(next, journal.standing.state)
  const linksAt = await linksOf(links, { audience: 'out-of-band', expiresAt })
  const isEnding = ended.length > 0 && { ended }
  const detail = { ...(await journal.changeTo(state)), ...askedIn(links), ...isEnding }
  const { pause, seats, timer, giveUpAt } = journal.note
  const stepId = stepOf(state)
  const handedOn: WfNewRunEvent[] = reassigned
    ? [{ type: 'reassigned', stepId, detail: { ...reassigned } }]
    : []
  const events: WfNewRunEvent[] = [...handedOn, { type: 'stayed', to: 'paused', stepId, detail }]
  const left =
    seats && Object.fromEntries(Object.entries(seats).filter(([id]) => !ended.includes(id)))
  const noteAt = (version: number): RunNote => {
    const asked = left && { ...left, ...seatsAt(links, version) }
    return { pause, seats: asked, timer, giveUpAt }
  }
  await journal.commit(events, version => ({
    ...WENT_WELL,
    state: withRunNote(state, noteAt(version)),
    dueAt: dueAtOf({ timer, giveUpAt }),
    stepId: stepId ?? null,
    ...linksAt(version),
  }))
}

/** The links as they are written, and their messages, by the number of the event that they come with. */
async function linksOf(
  links: readonly LinkToCommit[],
  common: Pick<WfRunLink, 'audience' | 'expiresAt'>,
) {
  const made = await Promise.all(
    links.map(async ({ handle, recipient, seat }) => ({
      ...common,
      hash: await sha256(handle),
      recipient,
      ...(seat !== undefined && { seat }),
    })),
  )
  const drafts = links.flatMap(({ drafted }) => drafted ?? [])
  return (pause: number) => ({
    links: made.map(link => ({ ...link, pause })),
    messages: drafts.length > 0 ? drafts.map(drafted => drafted.at(pause)) : undefined,
  })
}

/** Who is asked anew, for the history. */
function askedIn(links: readonly LinkToCommit[]): object {
  const asked = links.flatMap(({ seat, recipient }) =>
    seat === undefined ? [] : [{ seat, to: recipient }],
  )
  return asked.length > 0 ? { asked } : {}
}

function seatsAt(links: readonly LinkToCommit[], made: number): RunNote['seats'] {
  const seats = links.flatMap(({ seat }) => (seat === undefined ? [] : [[seat, made] as const]))
  return seats.length > 0 ? Object.fromEntries(seats) : undefined
}

/** The link of a pause that asks one. */
export function onlyLink(
  message: WfPauseOptions['message'],
  handle: string,
  drafted?: DraftedMessage,
): LinkToCommit[] {
  return [{ handle, recipient: addressOf(message?.request), drafted }]
}
