import { WfError } from '../errors'
import {
  isRecord,
  type WfNewRunEvent,
  type WfRunChange,
  type WfRunLink,
  type WfRunSignal,
  type WfRunStatus,
  type WfRunStore,
  type WfState,
} from '../state'
import { isStepStatuses, type WfRunSnapshot } from './run-snapshot'
import { isHistory } from './snapshot-history'

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

/** A state with what its strategy notes of its pause, by the number of that pause here. */
type Placed = (
  flowId: string,
  state: WfState,
  pause: number,
) => Promise<{
  readonly state: WfState
  /** Which links belong to its pause. */
  readonly isLive?: ((link: WfRunLink) => boolean) | undefined
  /** When somebody must look, if it waits for time. */
  readonly dueAt?: number | undefined
  /** What the history tells of it. */
  readonly detail: Readonly<Record<string, unknown>>
}>

/**
 * Brings a run to a store that does not have it, with the links of its pause. It goes on there.
 *
 * @throws WfError `WF_MISMATCH` for a snapshot of another workflow, `WF_STATE_INVALID` for what is none,
 * `WF_CONFLICT` if the run is there already, or another has its key
 */
export async function restoreRun(
  runs: WfRunStore,
  snapshot: unknown,
  { schemaId, actor }: WfRestoreRunOptions,
  placed: Placed,
): Promise<string> {
  const { flowId, status, context, metadata, correlationId, result, resume, ...rest } = parse(
    snapshot,
    schemaId,
  )
  const { indexes, meta, stepId, startedAt, startedBy, input, answer, runKey, links } = resume
  const way = WAY[status]
  const pause = way.length
  const bare = { schemaId, indexes: [...indexes], context, ...(meta && { meta: { ...meta } }) }
  const { state, isLive, detail, dueAt } = await placed(flowId, bare, pause)
  const { version, stepStatuses, history, retryState } = rest
  const told = { ...detail, version, stepStatuses, history }
  // An answer that was accepted there goes on here.
  const isAnswered = status === 'paused' && answer !== undefined
  const isRetried = status === 'error' && retryState?.nextRetryAt !== undefined
  const { waitsFor, signals = [] } = resume
  const isSignalled = status === 'paused' && signals.some(({ name }) => name === waitsFor)
  const isActive = status === 'active' || status === 'created'
  const isDue = isActive || isAnswered || isRetried || isSignalled
  const change: WfRunChange = {
    events: way.map((event, at) => ({ ...event, stepId, ...(at === 0 && { detail: told }) })),
    actor,
    state,
    stepId,
    answer,
    result,
    links: links.filter(link => isLive?.(link)).map(link => ({ ...link, pause })),
    attempts: resume.attempts,
    lastError: resume.lastError,
    ranMs: rest.totalExecutionTime,
    ...(isDue || status !== 'paused' ? { isDue } : { dueAt }),
    waitsFor,
    signals: signals.length === 0 ? undefined : signals.map(withoutFlow),
  }
  const fresh = { flowId, schemaId, startedAt, startedBy, input, runKey, correlationId, metadata }
  if (await runs.begin(fresh, change)) return flowId
  throw new WfError('WF_CONFLICT', 'There is a run of this id already, or one with its key.')
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
    [resume.meta, resume.lastError, of.metadata, of.result, of.retryState].every(isRecordIfAny) &&
    TEXTS.every(key => isTextIfAny(resume[key])) &&
    [of.correlationId, of.currentStepId ?? undefined].every(isTextIfAny) &&
    [of.totalExecutionTime, resume.attempts].every(isCountIfAny) &&
    Array.isArray(resume.links) &&
    resume.links.every(isLink) &&
    (resume.signals === undefined ||
      (Array.isArray(resume.signals) && resume.signals.every(isSignal))) &&
    isStepStatuses(of.stepStatuses) &&
    isHistory(of.history)
  if (!isSnapshot) throw new WfError('WF_STATE_INVALID', 'This is not a snapshot of a run.')
  if (of.schemaId !== schemaId) {
    throw new WfError('WF_MISMATCH', `This is not a snapshot of the workflow "${schemaId}".`)
  }
  return snapshot as unknown as WfRunSnapshot
}

function isSignal(value: unknown): value is WfRunSignal {
  if (!isRecord(value)) return false
  const { seq, name, payload, sentBy, createdAt } = value
  const areTexts = typeof name === 'string' && typeof payload === 'string' && isTextIfAny(sentBy)
  return areTexts && Number.isSafeInteger(seq) && Number.isSafeInteger(createdAt)
}

const withoutFlow = ({ flowId: _flowId, ...signal }: WfRunSignal) => signal

function isIndexes(value: unknown): boolean {
  return Array.isArray(value) && value.every(index => Number.isSafeInteger(index) && index >= 0)
}

const TEXTS = ['stepId', 'input', 'answer', 'startedBy', 'runKey', 'waitsFor'] as const

const isCountIfAny = (value: unknown): boolean =>
  value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)

const isTextIfAny = (value: unknown): boolean => value === undefined || typeof value === 'string'
const isRecordIfAny = (value: unknown): boolean => value === undefined || isRecord(value)

function isLink(value: unknown): value is WfRunLink {
  if (!isRecord(value)) return false
  const { hash, pause, audience, recipient, seat, expiresAt } = value
  const isFor = audience === 'caller' || audience === 'out-of-band'
  const isEnd = expiresAt === undefined || Number.isSafeInteger(expiresAt)
  return (
    typeof hash === 'string' &&
    Number.isInteger(pause) &&
    isFor &&
    [recipient, seat].every(isTextIfAny) &&
    isEnd
  )
}
