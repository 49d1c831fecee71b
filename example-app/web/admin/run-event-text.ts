import type { WfAdminRunEvent } from '@atscript/moost-wf/admin'
import { exactTime } from '../time/relative-time'

const WORDS: Readonly<Record<string, string>> = {
  workflow_created: 'Submitted',
  started: 'Begun',
  step_started: 'Step begun',
  step_completed: 'Step done',
  step_failed: 'Step failed',
  paused: 'Asked, and waits',
  answered: 'Answer accepted',
  resumed: 'Answered',
  stayed: 'Asked again',
  waiting: 'Waits for whoever has the link',
  undelivered: 'Not delivered',
  sent: 'Message delivered',
  dropped: 'Message not needed any more',
  resent: 'Message sent again',
  reminded: 'Reminded',
  reminder_failed: 'Could not remind',
  timed_out: 'Nobody has answered in time',
  delayed: 'Rests',
  signalled: 'Got the signal',
  extended: 'Extended',
  reissued: 'Sent a new link',
  reassigned: 'Given to somebody else',
  updated: 'Changed from outside',
  cancelled: 'Cancelled',
  retried: 'Tried again',
  recovered: 'Recovered',
  restored: 'Brought here',
  moved_in: 'Moved here',
  moved_out: 'Moved away',
  workflow_completed: 'Completed',
  workflow_failed: 'Failed',
}

/** What one of several people has said. */
const STANCES: Readonly<Record<string, string>> = { for: 'Agreed', against: 'Refused' }

/** What has happened, in words. What a later server tells of is at least readable. */
export function wordsForEvent({ type, detail }: Pick<WfAdminRunEvent, 'type' | 'detail'>): string {
  const { seat, stance, asked, ended } = detail
  if (type === 'answered' && typeof seat === 'string') {
    return STANCES[String(stance)] ?? 'Answered, and goes on asking'
  }
  if (type === 'stayed' && (asked || ended)) return 'Asks others'
  return Object.hasOwn(WORDS, type) ? WORDS[type]! : inWords(type)
}

function inWords(type: string): string {
  const words = type.replaceAll(/[_-]+/gu, ' ').trim()
  return words.replace(/^./u, letter => letter.toUpperCase())
}

/** What an event says beside that, one sentence for each thing. What has changed comes apart. */
export function notesOf({ detail }: Pick<WfAdminRunEvent, 'detail'>): string[] {
  const { from, to, code, reason, times, until, deadline, askedBy, action, onTimeout } = detail
  const { name, attempts, step } = detail
  return [
    ...(typeof to === 'string' ? [typeof from === 'string' ? `${from} → ${to}` : to] : []),
    ...(typeof code === 'string' ? [`Error: ${code}`] : []),
    ...errorsIn(detail),
    ...(typeof step === 'string' ? [`In the step ${step}`] : []),
    ...(typeof reason === 'string' ? [`Reason: ${reason}`] : []),
    ...(typeof times === 'number' ? [`${times} times`] : []),
    ...(typeof attempts === 'number'
      ? [attempts === 1 ? '1 attempt' : `${attempts} attempts`]
      : []),
    ...(typeof until === 'number' ? [`Until ${exactTime(until)}`] : []),
    ...(typeof deadline === 'number' ? [`Deadline ${exactTime(deadline)}`] : []),
    ...(typeof onTimeout === 'string' ? [`Then: ${onTimeout}`] : []),
    ...(typeof name === 'string' ? [`Signal: ${name}`] : []),
    ...(typeof action === 'string' ? [`Chosen: ${action}`] : []),
    ...(typeof askedBy === 'string' ? [`Asked by ${askedBy}`] : []),
    ...listed('Asked', addressesIn(detail.asked)),
    ...listed('Not asked any more', namesIn(detail.ended)),
  ]
}

/** What one of several people has said, if they have said anything but their decision. */
export function saidIn({ detail }: Pick<WfAdminRunEvent, 'detail'>) {
  const said = recordOf(detail.said)
  return said && Object.keys(said).length > 0 ? said : undefined
}

/** What went wrong, and by what that was brought about. */
function errorsIn({ error, causes }: WfAdminRunEvent['detail']): string[] {
  const tell = (note: unknown) => {
    const { name, message } = recordOf(note) ?? {}
    if (typeof name !== 'string') return []
    return [typeof message === 'string' ? `${name}: ${message}` : name]
  }
  const brought = Array.isArray(causes) ? causes.flatMap(tell) : []
  return [...tell(error), ...brought.map(text => `Caused by ${text}`)]
}

const listed = (what: string, names: readonly string[]) =>
  names.length > 0 ? [`${what}: ${names.join(', ')}`] : []

const namesIn = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

const addressesIn = (asked: unknown) =>
  Array.isArray(asked) ? asked.map(each => String(recordOf(each)?.to ?? '')).filter(Boolean) : []

/** What has changed in the context; `undefined` if nothing has. */
export function changesOf({ detail }: Pick<WfAdminRunEvent, 'detail'>) {
  const changed = recordOf(detail.changed) ?? recordOf(detail.context)
  const removed = Array.isArray(detail.removed) ? detail.removed.map(String) : []
  const keys = Object.keys(changed ?? {})
  const summary = [
    ...(keys.length > 0 ? [`Changed: ${keys.join(', ')}`] : []),
    ...(removed.length > 0 ? [`Removed: ${removed.join(', ')}`] : []),
  ].join('; ')
  return summary ? { summary, changed } : undefined
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}
