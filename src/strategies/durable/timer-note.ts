import { isRecord, type WfDeadline } from '../../state'
import type { RunNote } from './run-note'

/** Until when a pause waits, as its run notes it: by the names of steps, which outlive a deploy. */
export interface TimerNote {
  /** The step that has paused. */
  readonly stepId?: string | undefined
  readonly at: number
  readonly onTimeout: string
  readonly remindEveryMs?: number | undefined
  /** When the next reminder goes out, if there is one before the deadline. */
  readonly remindAt?: number | undefined
  /** How many have gone out. */
  readonly reminders: number
  /** For how long links live. */
  readonly ttlMs?: number | undefined
  /** The number of the claim that has made the link of the last one. */
  readonly sentBy?: number | undefined
}

/** A pause that begins. */
interface PauseTime {
  readonly stepId: string | undefined
  readonly expiresAt: number | undefined
  /** Of the pause that was answered, if no step has been completed since. */
  readonly former: TimerNote | undefined
}

/** The timer of a pause; whoever asks again at the same step has no more time than before. */
export function timerOf(
  deadline: WfDeadline | undefined,
  { stepId, expiresAt, former }: PauseTime,
): TimerNote | undefined {
  if (!deadline) return undefined
  const { onTimeout, remindEveryMs, isKept, since } = deadline
  const isSame = isKept && former !== undefined && former.stepId === stepId
  const at = isSame ? former.at : deadline.at
  const ttlMs = expiresAt === undefined ? undefined : expiresAt - since
  const remindAt = isSame ? former.remindAt : nextReminder({ at, remindEveryMs }, since)
  const reminders = isSame ? former.reminders : 0
  return { stepId, at, onTimeout, remindEveryMs, remindAt, reminders, ttlMs }
}

/** When the next reminder goes out; `undefined` if that is not before the deadline. */
export function nextReminder(
  { at, remindEveryMs }: Pick<TimerNote, 'at' | 'remindEveryMs'>,
  now: number,
): number | undefined {
  const next = remindEveryMs === undefined ? undefined : now + remindEveryMs
  return next !== undefined && next < at ? next : undefined
}

/** When somebody must look after a run that waits; `undefined` if a person alone can end that. */
export function dueAtOf({ timer, wakeAt, giveUpAt }: RunNote): number | undefined {
  return timer ? Math.min(timer.at, timer.remindAt ?? Infinity) : (wakeAt ?? giveUpAt)
}

/** Stored content is not trusted. */
export function readTimer(value: unknown): TimerNote | undefined {
  if (!isRecord(value) || typeof value.at !== 'number') return undefined
  if (typeof value.onTimeout !== 'string' || typeof value.reminders !== 'number') return undefined
  return value as unknown as TimerNote
}
