import type { WfAdminRunEvent, WfAdminRunMessage } from '@atscript/moost-wf/admin'
import { openedText } from './opened-text'
import { changesOf, notesOf, saidIn, wordsForEvent } from './run-event-text'

/** How a line of the story reads at a glance. */
export type Tone = 'plain' | 'good' | 'bad' | 'mind'

/** One thing that has happened. */
export interface StoryLine {
  readonly type: string
  readonly words: string
  readonly tone: Tone
  readonly at: number
  /** Milliseconds since what has happened before; not there for the first. */
  readonly afterMs: number | undefined
  readonly actor: string | null
  readonly notes: readonly string[]
  /** The message that it is about. */
  readonly messageId: string | undefined
  /** What one of several people has said. */
  readonly said: ReturnType<typeof saidIn>
  readonly changes: ReturnType<typeof changesOf>
}

/** All that has happened at one step, or between two. */
export interface StoryChapter {
  readonly stepId: string | null
  readonly title: string
  readonly tone: Tone
  readonly at: number
  /** From its first line to its last. */
  readonly tookMs: number
  readonly lines: readonly StoryLine[]
}

const BAD = new Set(['step_failed', 'workflow_failed', 'undelivered', 'reminder_failed'])
const MIND = new Set(['recovered', 'retried', 'timed_out', 'cancelled', 'stayed'])
const GOOD = new Set(['step_completed', 'workflow_completed'])
/** Ends of a run: each is a chapter of its own, also if it names a step. */
const ENDS = new Set(['workflow_completed', 'workflow_failed', 'cancelled', 'moved_out'])
const BEGINNINGS = new Set(['workflow_created', 'restored', 'moved_in'])

/**
 * The history of a run as people tell it: what happens at a step is one chapter, whoever did it, and what
 * became of the messages stands where it belongs in time.
 */
export function storyOf(
  events: readonly WfAdminRunEvent[],
  messages: readonly WfAdminRunMessage[],
): StoryChapter[] {
  const chapters: { stepId: string | null; isOver: boolean; lines: StoryLine[] }[] = []
  let before: number | undefined
  for (const event of inTime(withoutEchoes(events), messages)) {
    const line = lineOf(event, before, messages)
    before = event.at
    const current = chapters.at(-1)
    const isEnd = ENDS.has(event.type)
    const stepId = isEnd ? null : event.stepId
    const isAnother = stepId !== null && stepId !== current?.stepId
    const isAgain = event.type === 'step_started' && current?.isOver
    if (!current || isEnd || isAnother || isAgain || (stepId === null && current.isOver)) {
      chapters.push({ stepId, isOver: isEnd, lines: [line] })
    } else current.lines.push(line)
    if (event.type === 'step_completed') chapters.at(-1)!.isOver = true
  }
  return chapters.map(({ stepId, lines }) => chapterOf(stepId, lines))
}

/** That one of several people has answered is one line, and not that the run was taken up and waits on as well. */
function withoutEchoes(events: readonly WfAdminRunEvent[]): readonly WfAdminRunEvent[] {
  const isAnswer = (event: WfAdminRunEvent | undefined) =>
    event?.type === 'answered' && event.detail.seat !== undefined
  return events.filter((event, at) => {
    const before = events[at - 1]
    if (event.type === 'resumed') return !isAnswer(events[at + 1])
    if (event.type !== 'stayed' || changesOf(event)) return true
    if (before?.type === 'reassigned') return false
    const { asked, ended } = event.detail
    return !isAnswer(before) || asked !== undefined || ended !== undefined
  })
}

/** Messages that are not settled have no event: they are told of when they were written. */
function inTime(
  events: readonly WfAdminRunEvent[],
  messages: readonly WfAdminRunMessage[],
): WfAdminRunEvent[] {
  const waiting = messages.filter(({ status }) => status === 'waiting')
  const queued = waiting.map(({ pause, createdAt, messageId, attempts, lastError }) => ({
    seq: pause,
    type: 'message_waits',
    stepId: null,
    at: createdAt,
    actor: null,
    detail: { messageId, ...(attempts > 0 && { attempts, code: lastError?.code }) },
  }))
  const all = [...events]
  for (const event of queued) {
    const behind = all.findIndex(({ at, seq }) => at > event.at && seq > event.seq)
    all.splice(behind === -1 ? all.length : behind, 0, event)
  }
  return all
}

function lineOf(
  event: WfAdminRunEvent,
  before: number | undefined,
  messages: readonly WfAdminRunMessage[],
): StoryLine {
  const { type, at, actor, detail } = event
  const message = messages.find(({ messageId }) => messageId === detail.messageId)
  const to = message?.recipient ? [`To ${message.recipient}`] : []
  const opened = message && type === 'sent' ? openedText(message) : ''
  return {
    type,
    words: wordsForEvent(event),
    tone: toneOf(event),
    at,
    afterMs: before === undefined ? undefined : Math.max(0, at - before),
    actor,
    notes: [...to, ...notesOf(event), ...(opened ? [opened] : [])],
    messageId: message?.messageId,
    said: saidIn(event),
    changes: changesOf(event),
  }
}

function toneOf({ type, detail }: WfAdminRunEvent): Tone {
  if (type === 'answered' && detail.stance === 'against') return 'mind'
  if (BAD.has(type)) return 'bad'
  if (MIND.has(type)) return 'mind'
  return GOOD.has(type) ? 'good' : 'plain'
}

function chapterOf(stepId: string | null, lines: readonly StoryLine[]): StoryChapter {
  const [first, last] = [lines[0]!, lines.at(-1)!]
  const isBeginning = BEGINNINGS.has(first.type)
  const isEnd = ENDS.has(first.type)
  const between = isBeginning ? 'The beginning' : isEnd ? 'The end' : first.words
  const title = stepId?.split('/').pop() ?? between
  const { tone } = last.type === 'sent' ? { tone: 'plain' as const } : last
  return { stepId, title, tone, at: first.at, tookMs: Math.max(0, last.at - first.at), lines }
}
