import type { WfDescription, WfRunEvent, WfRunLink, WfRunStatus, WfStoredRun } from '../state'
import { isEnd } from '../state'
import { historyOf, type WfHistoryEntry } from './snapshot-history'

/** Where a step of a run stands. */
export type WfStepStatus = 'idle' | 'active' | 'waiting' | 'completed'

/**
 * A run as plain JSON, complete: it can be looked at, kept, or brought to another database and go on
 * there. What was answered and not worked on yet is sealed in it.
 */
export interface WfRunSnapshot {
  readonly flowId: string
  readonly schemaId: string
  readonly version: number
  readonly status: WfRunStatus
  /** `null` at the end. */
  readonly currentStepId: string | null
  readonly stepStatuses: Readonly<Record<string, WfStepStatus>>
  readonly context: unknown
  readonly isTerminal: boolean
  /** Of a run whose step has failed. */
  readonly retryState?: WfRetryState | undefined
  readonly metadata: Readonly<Record<string, unknown>>
  readonly correlationId?: string | undefined
  readonly result?: Readonly<Record<string, unknown>> | undefined
  /** ISO 8601. */
  readonly lastStartedAt?: string | undefined
  /** Milliseconds. */
  readonly totalExecutionTime: number
  readonly history: readonly WfHistoryEntry[]
  readonly createdAt: string
  readonly updatedAt: string
  /** What it takes to go on: not for readers. */
  readonly resume: WfResumePoint
}

/** A step that has failed. */
export interface WfRetryState {
  readonly stepId: string | null
  readonly attempts: number
  readonly nextRetryAt?: string | undefined
}

/** Where a run goes on, as the strategy keeps it. */
export interface WfResumePoint {
  readonly indexes: readonly number[]
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  readonly startedAt: number
  readonly startedBy?: string | undefined
  readonly input?: string | undefined
  readonly answer?: string | undefined
  readonly runKey?: string | undefined
  readonly lastError?: Readonly<Record<string, unknown>> | undefined
  readonly links: readonly WfRunLink[]
}

/** Describes a run, its history and its links as they are. */
export function snapshotOf(
  run: WfStoredRun,
  events: readonly WfRunEvent[],
  links: readonly WfRunLink[],
  description: WfDescription | undefined,
): WfRunSnapshot {
  const { flowId, schemaId, version, status, stepId, state, metadata = {}, correlationId } = run
  const { result, lastStartedAt, activeMs, createdAt, updatedAt } = run
  const { context, indexes, meta } = state
  const isTerminal = isEnd(status)
  const snapshot: WfRunSnapshot = {
    flowId,
    schemaId,
    version,
    status,
    currentStepId: isTerminal ? null : (stepId ?? null),
    stepStatuses: stepStatusesOf(run, events, description),
    context,
    isTerminal,
    retryState: retryStateOf(run),
    metadata,
    correlationId,
    result,
    lastStartedAt: lastStartedAt === undefined ? undefined : isoTime(lastStartedAt),
    totalExecutionTime: activeMs,
    history: historyOf(events),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    resume: {
      indexes,
      meta,
      startedAt: run.startedAt,
      startedBy: run.startedBy,
      input: run.input,
      answer: run.answer,
      runKey: run.runKey,
      lastError: run.lastError,
      links,
    },
  }
  // As it will be when it was somewhere else meanwhile.
  return JSON.parse(JSON.stringify(snapshot)) as WfRunSnapshot
}

function stepStatusesOf(
  { status, stepId, state }: WfStoredRun,
  events: readonly WfRunEvent[],
  description: WfDescription | undefined,
): Readonly<Record<string, WfStepStatus>> {
  const statuses = new Map<string, WfStepStatus>()
  for (const step of description?.steps ?? []) statuses.set(step.stepId, 'idle')
  for (const { type, stepId: ofStep } of events) {
    if (ofStep === undefined) continue
    if (type === 'step_completed') statuses.set(ofStep, 'completed')
    else if (!statuses.has(ofStep)) statuses.set(ofStep, 'idle')
  }
  if (status === 'paused' && stepId !== undefined) statuses.set(stepId, 'waiting')
  const running = description?.stepIdAt(state.indexes)
  if ((status === 'active' || status === 'error') && running !== undefined) {
    statuses.set(running, 'active')
  }
  return Object.fromEntries(statuses)
}

function retryStateOf({ status, stepId, attempts, dueAt }: WfStoredRun) {
  if (status !== 'error') return undefined
  return {
    stepId: stepId ?? null,
    attempts,
    nextRetryAt: dueAt === undefined ? undefined : isoTime(dueAt),
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString()
