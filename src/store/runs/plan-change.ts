import { WfError } from '../../errors'
import {
  assertTransition,
  isEnd,
  jsonCopy,
  type WfHeldRun,
  type WfNewRun,
  type WfNewRunEvent,
  type WfRunChange,
  type WfRunEvent,
  type WfRunEventType,
  type WfRunLink,
  type WfRunMessage,
  type WfRunStatus,
  type WfState,
  type WfStoredRun,
} from '../../state'

/** What a change comes to, checked. */
export interface PlannedChange {
  /** The run behind it, but for the time of its lease. */
  readonly run: WfStoredRun
  readonly events: readonly WfRunEvent[]
  readonly links: readonly WfRunLink[]
  /** But for the time at which they are due, which is now. */
  readonly messages: readonly WfRunMessage[]
}

/**
 * Checks the beginning of a run.
 *
 * @throws WfError `WF_TRANSITION`, `WF_MISMATCH`, `WF_STATE_INVALID`
 */
export function planBeginning(fresh: WfNewRun, change: WfRunChange, at: number): PlannedChange {
  const { flowId, schemaId } = fresh
  if (!change.state) throw new WfError('WF_STATE_INVALID', 'A run begins with a state.')
  const chained = chain({ flowId, schemaId, version: 0 }, undefined, change, at)
  const { status } = chained
  const counted = { version: 0, attempts: 0, claimSeq: change.lease ? 1 : 0, activeMs: 0 }
  const signalSeq = Math.max(0, ...(change.signals ?? []).map(({ seq }) => seq))
  const begun = { lastStartedAt: at, createdAt: at, updatedAt: at, createdBy: change.actor }
  const { state } = change
  const run = Object.assign({}, fresh, counted, begun, { status, state, signalSeq })
  return planned(run, change, chained, at)
}

/**
 * Checks a change of a run.
 *
 * @throws WfError `WF_TRANSITION`, `WF_MISMATCH`, `WF_STATE_INVALID`
 */
export function planChange({ run }: WfHeldRun, change: WfRunChange, at: number): PlannedChange {
  return planned(run, change, chain(run, run.status, change, at), at)
}

/** What says of each key that it is there. */
type AllOf<T> = { readonly [Key in keyof Required<T>]: T[Key] }

interface Chained {
  readonly events: readonly WfRunEvent[]
  readonly status: WfRunStatus
}

function planned(
  run: WfStoredRun,
  change: WfRunChange,
  { events, status }: Chained,
  at: number,
): PlannedChange {
  const { attempts, lastError, result, ranMs = 0, lease, stepId } = change
  const { links = [], messages = [], waitsFor, dueInMs = change.isDue ? 0 : undefined } = change
  const dueAt = dueInMs === undefined ? change.dueAt : at + dueInMs
  const hasEnded = isEnd(status)
  const isOver = hasEnded && status !== 'failed'
  // Written out: a new key behind a spread makes a hidden class for each object.
  const next: AllOf<WfStoredRun> = {
    flowId: run.flowId,
    schemaId: run.schemaId,
    status,
    stepId: stepId === undefined ? run.stepId : (stepId ?? undefined),
    version: run.version + events.length,
    state: change.state ? copyOf(change.state, run) : run.state,
    input: run.input,
    // What was accepted is there when a run that has failed is tried again.
    answer: isOver ? undefined : change.answer,
    runKey: hasEnded ? undefined : run.runKey,
    correlationId: run.correlationId,
    metadata: run.metadata,
    attempts: attempts ?? run.attempts,
    dueAt: hasEnded ? undefined : dueAt,
    leaseUntil: undefined,
    leaseOwner: lease?.owner,
    claimSeq: run.claimSeq,
    expiresAt: isOver ? undefined : expiryOf(run, change, events),
    signalSeq: run.signalSeq,
    lastError: lastError === undefined ? run.lastError : (lastError ?? undefined),
    result: result ?? run.result,
    waitsFor: isOver ? undefined : waitsFor === undefined ? run.waitsFor : (waitsFor ?? undefined),
    startedAt: run.startedAt,
    startedBy: run.startedBy,
    lastStartedAt: run.lastStartedAt,
    activeMs: run.activeMs + Math.max(0, Math.floor(ranMs)),
    completedAt: hasEnded ? at : undefined,
    createdAt: run.createdAt,
    createdBy: run.createdBy,
    updatedAt: at,
    lastUpdatedBy: change.actor,
  }
  const { flowId } = run
  const common = { flowId, createdAt: at }
  const waiting = { ...common, status: 'waiting', attempts: 0, claimSeq: 0, queuedAt: at } as const
  return {
    run: next,
    events,
    links: links.map(link => ({ ...link, ...common })),
    messages: messages.map(message => ({ ...message, ...waiting })),
  }
}

/** Events with which a pause begins, and none of the links before it can be answered by. */
const BEGINNINGS: ReadonlySet<WfRunEventType> = new Set([
  'paused',
  'reissued',
  'delayed',
  'restored',
  'moved_in',
])

/** When the last of the links expires of the pause at which a run stands. */
function expiryOf(
  { expiresAt: former }: WfStoredRun,
  { links = [], linksUntil }: WfRunChange,
  events: readonly WfRunEvent[],
): number | undefined {
  if (linksUntil) return Math.max(former ?? -Infinity, linksUntil.expiresAt)
  // One of several people has a new link: those of the others live on.
  const isAnother = events.some(({ type, detail }) => BEGINNINGS.has(type) && !detail.seat)
  const ends = links.map(({ expiresAt = Infinity }) => expiresAt)
  if (!isAnother) ends.push(former ?? (links.length > 0 ? Infinity : -Infinity))
  const last = Math.max(...ends)
  return Number.isFinite(last) ? last : undefined
}

/** What is written now must not change while it is on its way. */
function copyOf(state: WfState, { schemaId }: Pick<WfStoredRun, 'schemaId'>): WfState {
  if (state.schemaId !== schemaId) throw mismatch()
  return jsonCopy(state)
}

/** Events in their order, each with its number and, where the status changes, from where to where. */
function chain(
  { flowId, schemaId, version }: Pick<WfStoredRun, 'flowId' | 'schemaId' | 'version'>,
  former: WfRunStatus | undefined,
  { events: asked, actor }: WfRunChange,
  at: number,
): Chained {
  let status = former
  const events = asked.map((event, index): WfRunEvent => {
    if (event.schemaId !== undefined && event.schemaId !== schemaId) throw mismatch()
    const detail = Object.assign({}, event.detail, moved(status, event))
    status = event.to ?? status
    const { type, stepId } = event
    const seq = version + index + 1
    return { flowId, seq, schemaId, type, stepId, at: event.at ?? at, actor, detail }
  })
  if (events.length === 0 || status === undefined) {
    throw new WfError(
      'WF_TRANSITION',
      'A run changes by events, the first of which says what it is.',
    )
  }
  return { events, status }
}

function moved(from: WfRunStatus | undefined, { to }: WfNewRunEvent) {
  if (to === undefined) return {}
  assertTransition(from, to)
  return from === undefined ? { to } : { from, to }
}

function mismatch(): WfError {
  return new WfError('WF_MISMATCH', 'An event or a state names another workflow than its run.')
}
