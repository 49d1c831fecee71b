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

/** What has happened, in words. What a later server tells of is at least readable. */
export const wordsForEvent = ({ type }: Pick<WfAdminRunEvent, 'type'>): string =>
  Object.hasOwn(WORDS, type) ? WORDS[type]! : inWords(type)

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
  ]
}

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
