import type { WfRunEvent, WfRunStatus } from '@atscript/moost-wf/store'

/** What the history of a run says of it. */
export interface Replayed {
  readonly status: WfRunStatus | undefined
  readonly stepId: string | undefined
  readonly version: number
  readonly indexes: unknown
  /** With digests in place of secrets. */
  readonly context: unknown
  /** The number of the pause whose links are alive. */
  readonly pause: number | undefined
  /** Until when they are, if that was changed. */
  readonly until: unknown
  /** That of the pause before, which is there again if this one could not be delivered. */
  readonly former?: Pick<Replayed, 'pause' | 'until'>
}

/** Written down once more, so that a slip in the source is no slip in both. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  undefined: ['created', 'active'],
  created: ['active', 'cancelled'],
  active: ['paused', 'error', 'completed', 'failed', 'cancelled'],
  paused: ['active', 'cancelled', 'failed'],
  error: ['active', 'failed', 'cancelled'],
  failed: ['active'],
}

/** Events that say where the run stands, by naming a step or none. */
const PLACING = new Set([
  'paused',
  'stayed',
  'step_completed',
  'undelivered',
  'restored',
  'delayed',
])

const NOTHING: Replayed = {
  status: undefined,
  stepId: undefined,
  version: 0,
  indexes: [],
  context: undefined,
  pause: undefined,
  until: undefined,
}

/** Tells a run by its history alone. Throws where that cannot be. */
export function replayHistory(events: readonly WfRunEvent[]): Replayed {
  return events.reduce(afterEvent, NOTHING)
}

function afterEvent(run: Replayed, event: WfRunEvent): Replayed {
  const { seq, type, detail } = event
  if (seq !== run.version + 1) throw new Error(`Event ${seq} follows ${run.version}.`)
  const status = statusAfter(run, event)
  const hasEnded = status === 'completed' || status === 'cancelled'
  const isPlaced = hasEnded || PLACING.has(type)
  return {
    status,
    version: seq,
    stepId: isPlaced ? (hasEnded ? undefined : event.stepId) : run.stepId,
    indexes: detail.indexes ?? run.indexes,
    context: contextAfter(run.context, detail),
    ...pauseAfter(run, event),
  }
}

function statusAfter({ status }: Replayed, { seq, detail: { from, to } }: WfRunEvent) {
  if (to === undefined) return status
  const isAllowed = NEXT[String(status)]?.includes(String(to))
  if (from !== status || !isAllowed) throw new Error(`Event ${seq} leads from ${from} to ${to}.`)
  return to as WfRunStatus
}

function contextAfter(former: unknown, detail: WfRunEvent['detail']): unknown {
  const { context = former, changed, removed = [] } = detail
  if (changed === undefined && (removed as string[]).length === 0) return context
  const next = { ...(context as object), ...(changed as object) }
  const isLeft = ([key]: [string, unknown]) => !(removed as string[]).includes(key)
  return Object.fromEntries(Object.entries(next).filter(isLeft))
}

function pauseAfter(
  run: Replayed,
  { type, seq, detail }: WfRunEvent,
): Pick<Replayed, 'pause' | 'until' | 'former'> {
  const { pause, until, former } = run
  if (type === 'paused') return { pause: seq, until: undefined, former: { pause, until } }
  if (type === 'undelivered' && former) return former
  // Nobody waits for an answer any more.
  const isLeft = type === 'delayed' || (type === 'timed_out' && detail.to === 'active')
  if (isLeft) return { pause: undefined, until: undefined }
  if (type === 'restored') return { pause: detail.pause as number | undefined, until }
  return type === 'extended' ? { pause, until: detail.until } : { pause, until }
}
