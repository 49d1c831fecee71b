import type { WfStoredRun } from '../../state'
import { noteOf } from './run-note'

/** Until when a pause waits. */
export interface WfRunDeadline {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `fail`, `cancel` or a step. */
  readonly onTimeout: string
  /** When the next reminder goes out, if there is one. */
  readonly nextReminderAt?: number | undefined
  /** How many have gone out. */
  readonly reminders: number
}

/** What time a run waits for. */
export function waitingTimesOf({ status, state }: Pick<WfStoredRun, 'status' | 'state'>): {
  readonly deadline?: WfRunDeadline | undefined
  readonly wakeAt?: number | undefined
} {
  if (status !== 'paused') return {}
  const { timer, wakeAt } = noteOf(state)
  if (!timer) return { wakeAt }
  const { at, onTimeout, remindAt: nextReminderAt, reminders } = timer
  return { deadline: { at, onTimeout, nextReminderAt, reminders } }
}
