import { isRecord, type WfRunEvent, type WfRunEventType } from '../state'

/** One thing that was done to a run, and where it has led. */
export interface WfHistoryEntry {
  /**
   * The action that was chosen; `__resolve_wait:<step>` for an answer without one, `__start`, and
   * `__<event>` for what is no answer.
   */
  readonly action: string
  /** ISO 8601. */
  readonly timestamp: string
  readonly enteredSteps: readonly string[]
  readonly exitedSteps: readonly string[]
}

const STARTS: readonly WfRunEventType[] = ['workflow_created', 'moved_in', 'restored']
const ANSWERS: readonly WfRunEventType[] = ['resumed', 'recovered']
/** Changes by themselves, which no answer has brought about. */
const OTHERS: readonly WfRunEventType[] = [
  'cancelled',
  'updated',
  'extended',
  'reissued',
  'reassigned',
  'retried',
]
/** What was answered, and came to nothing: as if it had never been done. */
const IN_VAIN: readonly WfRunEventType[] = ['stayed', 'step_failed', 'waiting', 'undelivered']

interface Entry {
  readonly isAnswer: boolean
  readonly action: string
  readonly timestamp: string
  readonly entered: string[]
  readonly exited: string[]
}

/** The history of a run as those see it who do something to it. */
export function historyOf(events: readonly WfRunEvent[]): readonly WfHistoryEntry[] {
  const elsewhere = events[0]?.detail.history
  const entries: Entry[] = []
  let waitsAt = ''
  for (const event of events) {
    const { type, stepId } = event
    const action = actionOf(event, waitsAt)
    if (action !== undefined) entries.push(newEntry(action, event))
    const last = entries.at(-1)
    if (IN_VAIN.includes(type) && last?.isAnswer && last.exited.length === 0) entries.pop()
    if (stepId === undefined || !last) continue
    if (type === 'step_started') enter(last, stepId)
    if (type === 'step_completed') last.exited.push(stepId)
    if (type === 'paused') {
      enter(last, stepId)
      waitsAt = stepId
    }
  }
  const here = entries.map(({ action, timestamp, entered, exited }) => ({
    action,
    timestamp,
    enteredSteps: entered,
    exitedSteps: exited,
  }))
  return isHistory(elsewhere) ? [...elsewhere, ...here] : here
}

export function isHistory(value: unknown): value is readonly WfHistoryEntry[] {
  return Array.isArray(value) && value.every(isEntry)
}

function isEntry(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { action, timestamp, enteredSteps, exitedSteps } = value
  const areSteps = [enteredSteps, exitedSteps].every(
    steps => Array.isArray(steps) && steps.every(step => typeof step === 'string'),
  )
  return typeof action === 'string' && typeof timestamp === 'string' && areSteps
}

function actionOf({ type, detail }: WfRunEvent, waitsAt: string): string | undefined {
  if (STARTS.includes(type)) return type === 'workflow_created' ? '__start' : `__${type}`
  if (OTHERS.includes(type)) return `__${type}`
  if (!ANSWERS.includes(type)) return undefined
  return typeof detail.action === 'string' ? detail.action : `__resolve_wait:${waitsAt}`
}

const newEntry = (action: string, { at, type }: WfRunEvent): Entry => ({
  isAnswer: ANSWERS.includes(type),
  action,
  timestamp: new Date(at).toISOString(),
  entered: [],
  exited: [],
})

function enter({ entered }: Entry, stepId: string): void {
  if (entered.at(-1) !== stepId) entered.push(stepId)
}
