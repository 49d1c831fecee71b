import { WfError } from '../errors'
import {
  isRecord,
  type WfNewRunEvent,
  type WfRunChange,
  type WfRunLink,
  type WfRunStatus,
  type WfRunStore,
  type WfState,
} from '../state'
import type { WfRunSnapshot } from './run-snapshot'

/** What a snapshot is brought back as. */
export interface WfRestoreRunOptions {
  /** The workflow that it must be of. */
  readonly schemaId: string
  readonly actor?: string | undefined
}

/** The events that take a new run to where the snapshot's stood. */
const WAY: Readonly<Record<WfRunStatus, readonly WfNewRunEvent[]>> = {
  created: [{ type: 'restored', to: 'created' }],
  active: [{ type: 'restored', to: 'active' }],
  paused: [
    { type: 'restored', to: 'active' },
    { type: 'paused', to: 'paused' },
  ],
  error: [
    { type: 'restored', to: 'active' },
    { type: 'step_failed', to: 'error' },
  ],
  completed: [
    { type: 'restored', to: 'active' },
    { type: 'workflow_completed', to: 'completed' },
  ],
  failed: [
    { type: 'restored', to: 'active' },
    { type: 'workflow_failed', to: 'failed' },
  ],
  cancelled: [
    { type: 'restored', to: 'active' },
    { type: 'cancelled', to: 'cancelled' },
  ],
}

/**
 * Brings a run to a store that does not have it, with the links of its pause. It goes on there.
 *
 * @param placedAt the state with what the strategy notes of its pause, by the number of that pause here
 * @throws WfError `WF_MISMATCH` for a snapshot of another workflow, `WF_STATE_INVALID` for what is none,
 * `WF_CONFLICT` if the run is there already, or another has its key
 */
export async function restoreRun(
  runs: WfRunStore,
  snapshot: unknown,
  { schemaId, actor }: WfRestoreRunOptions,
  placedAt: (state: WfState, pause: number) => { state: WfState; formerPause?: number | undefined },
): Promise<string> {
  const { flowId, status, context, metadata, correlationId, result, resume, ...rest } = parse(
    snapshot,
    schemaId,
  )
  const { indexes, meta, startedAt, startedBy, input, answer, runKey, lastError, links } = resume
  const events = WAY[status].map((event, index) =>
    index === 0 ? { ...event, detail: { version: rest.version } } : event,
  )
  const pause = events.length
  const bare = { schemaId, indexes: [...indexes], context, ...(meta && { meta: { ...meta } }) }
  const { state, formerPause } = placedAt(bare, pause)
  // An answer that was accepted there goes on here.
  const isAnswered = status === 'paused' && answer !== undefined
  const isDue = status === 'active' || status === 'created' || isAnswered
  const change: WfRunChange = {
    events,
    actor,
    state,
    stepId: rest.currentStepId,
    answer,
    result,
    links: links.filter(link => link.pause === formerPause).map(link => ({ ...link, pause })),
    attempts: rest.retryState?.attempts,
    lastError,
    ranMs: rest.totalExecutionTime,
    isDue,
  }
  const fresh = { flowId, schemaId, startedAt, startedBy, input, runKey, correlationId, metadata }
  if (await runs.begin(fresh, change)) return flowId
  throw new WfError('WF_CONFLICT', 'There is a run of this id or with this key already.')
}

/** It may have been anywhere meanwhile. */
function parse(snapshot: unknown, schemaId: string): WfRunSnapshot {
  const { resume, ...of } = isRecord(snapshot) ? snapshot : {}
  const isSnapshot =
    isRecord(resume) &&
    typeof of.flowId === 'string' &&
    typeof of.schemaId === 'string' &&
    typeof of.status === 'string' &&
    Object.hasOwn(WAY, of.status) &&
    'context' in of &&
    isIndexes(resume.indexes) &&
    Number.isSafeInteger(resume.startedAt) &&
    PARTS.every(part => resume[part] === undefined || isRecord(resume[part])) &&
    [of.metadata, of.result].every(part => part === undefined || isRecord(part)) &&
    TEXTS.every(text => isTextIfAny(resume[text])) &&
    isTextIfAny(of.correlationId) &&
    isTextIfAny(of.currentStepId ?? undefined) &&
    [of.totalExecutionTime, attemptsOf(of.retryState)].every(isCountIfAny) &&
    Array.isArray(resume.links) &&
    resume.links.every(isLink)
  if (!isSnapshot) throw new WfError('WF_STATE_INVALID', 'This is not a snapshot of a run.')
  if (of.schemaId !== schemaId) {
    throw new WfError('WF_MISMATCH', `This is not a snapshot of the workflow "${schemaId}".`)
  }
  return snapshot as unknown as WfRunSnapshot
}

function isIndexes(value: unknown): boolean {
  return Array.isArray(value) && value.every(index => Number.isSafeInteger(index) && index >= 0)
}

const PARTS = ['meta', 'lastError'] as const
const TEXTS = ['input', 'answer', 'startedBy', 'runKey'] as const

function attemptsOf(retryState: unknown): unknown {
  return retryState === undefined ? undefined : isRecord(retryState) ? retryState.attempts : NaN
}

const isCountIfAny = (value: unknown): boolean =>
  value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)

const isTextIfAny = (value: unknown): boolean => value === undefined || typeof value === 'string'

function isLink(value: unknown): value is WfRunLink {
  if (!isRecord(value)) return false
  const { hash, pause, audience, recipient, expiresAt } = value
  const isFor = audience === 'caller' || audience === 'out-of-band'
  const isEnd = expiresAt === undefined || Number.isSafeInteger(expiresAt)
  return (
    typeof hash === 'string' && Number.isInteger(pause) && isFor && isTextIfAny(recipient) && isEnd
  )
}
