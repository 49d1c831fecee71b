import { exactTime } from '../time/relative-time'
import type { WfAdminRunEvent } from '@atscript/moost-wf/admin'

const WORDS: Readonly<Record<string, string>> = {
  workflow_created: 'Created',
  started: 'Begun',
  step_started: 'Step begun',
  step_completed: 'Step done',
  step_failed: 'Step failed',
  paused: 'Waits',
  answered: 'Answer accepted',
  resumed: 'Answered',
  stayed: 'Asked again',
  waiting: 'Waits for whoever has the link',
  undelivered: 'Not delivered',
  sent: 'Message delivered',
  dropped: 'Message not needed any more',
  resent: 'Message sent again',
  extended: 'Extended',
  reissued: 'Sent a new link',
  updated: 'Changed from outside',
  cancelled: 'Cancelled',
  retried: 'Tried again',
  recovered: 'Taken up again',
  restored: 'Brought here',
  moved_in: 'Moved here',
  moved_out: 'Moved away',
  workflow_completed: 'Completed',
  workflow_failed: 'Failed',
}

/** What has happened, in words. */
export const wordsForEvent = ({ type }: WfAdminRunEvent): string => WORDS[type] ?? type

/** What an event says beside that, one sentence for each thing. What has changed comes apart. */
export function notesOf({ detail }: WfAdminRunEvent): string[] {
  const { from, to, code, reason, times, until, askedBy, action } = detail
  return [
    ...(typeof to === 'string' ? [typeof from === 'string' ? `${from} → ${to}` : to] : []),
    ...(typeof code === 'string' ? [`Error: ${code}`] : []),
    ...(typeof reason === 'string' ? [`Reason: ${reason}`] : []),
    ...(typeof times === 'number' ? [`${times} times`] : []),
    ...(typeof until === 'number' ? [`Until ${exactTime(until)}`] : []),
    ...(typeof action === 'string' ? [`Chosen: ${action}`] : []),
    ...(typeof askedBy === 'string' ? [`Asked by ${askedBy}`] : []),
  ]
}

/** What has changed in the context; `undefined` if nothing has. */
export function changesOf({ detail }: WfAdminRunEvent) {
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
