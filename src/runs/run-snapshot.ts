import {
  isEnd,
  isRecord,
  type WfDescription,
  type WfRunEvent,
  type WfRunLink,
  type WfRunSignal,
  type WfRunStatus,
  type WfStoredRun,
} from '../state'
import { historyOf, type WfHistoryEntry } from './snapshot-history'

/** Where a step of a run stands. */
export type WfStepStatus = 'idle' | 'active' | 'waiting' | 'completed'

const STEP_STATUSES: readonly unknown[] = ['idle', 'active', 'waiting', 'completed']

export function isStepStatuses(value: unknown): value is Readonly<Record<string, WfStepStatus>> {
  return isRecord(value) && Object.values(value).every(status => STEP_STATUSES.includes(status))
}

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
  readonly stepId?: string | undefined
  readonly startedAt: number
  readonly startedBy?: string | undefined
  readonly input?: string | undefined
  readonly answer?: string | undefined
  readonly runKey?: string | undefined
  readonly attempts?: number | undefined
  readonly lastError?: Readonly<Record<string, unknown>> | undefined
  readonly links: readonly WfRunLink[]
  /** The name of the signal that it waits for. */
  readonly waitsFor?: string | undefined
  /** Those that are kept. */
  readonly signals?: readonly WfRunSignal[] | undefined
}

/** Describes a run, its history, its links and its signals as they are. */
export function snapshotOf(
  run: WfStoredRun,
  events: readonly WfRunEvent[],
  links: readonly WfRunLink[],
  signals: readonly WfRunSignal[],
  description: WfDescription | undefined,
): WfRunSnapshot {
  const { flowId, schemaId, version, status, state, metadata = {}, correlationId } = run
  const { result, lastStartedAt, activeMs, createdAt, updatedAt } = run
  const { context, indexes, meta } = state
  const isTerminal = isEnd(status)
  const snapshot: WfRunSnapshot = {
    flowId,
    schemaId,
    version,
    status,
    currentStepId: isTerminal ? null : (runningStepOf(run, description) ?? null),
    stepStatuses: stepStatusesOf(run, events, description),
    context,
    isTerminal,
    retryState: retryStateOf(run, description),
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
      stepId: run.stepId,
      startedAt: run.startedAt,
      startedBy: run.startedBy,
      input: run.input,
      answer: run.answer,
      runKey: run.runKey,
      attempts: run.attempts,
      lastError: run.lastError,
      links,
      waitsFor: run.waitsFor,
      signals,
    },
  }
  // As it will be when it was somewhere else meanwhile.
  return JSON.parse(JSON.stringify(snapshot)) as WfRunSnapshot
}

function stepStatusesOf(
  run: WfStoredRun,
  events: readonly WfRunEvent[],
  description: WfDescription | undefined,
): Readonly<Record<string, WfStepStatus>> {
  const statuses = new Map<string, WfStepStatus>()
  for (const step of description?.steps ?? []) statuses.set(step.stepId, 'idle')
  for (const { type, stepId, detail } of events) {
    for (const completed of completedElsewhere(detail.stepStatuses)) {
      statuses.set(completed, 'completed')
    }
    if (stepId === undefined) continue
    if (type === 'step_completed') statuses.set(stepId, 'completed')
    else if (!statuses.has(stepId)) statuses.set(stepId, 'idle')
  }
  const { status } = run
  const running = runningStepOf(run, description)
  if (running !== undefined && !isEnd(status)) {
    statuses.set(running, status === 'paused' ? 'waiting' : 'active')
  }
  return Object.fromEntries(statuses)
}

/** The steps that a run had behind it when it was brought here. */
function completedElsewhere(statuses: unknown): readonly string[] {
  if (!isStepStatuses(statuses)) return []
  return Object.keys(statuses).filter(stepId => statuses[stepId] === 'completed')
}

/** The step at which a run goes on: what its row names is behind it, unless it waits there. */
function runningStepOf(
  { status, stepId, state: { indexes } }: WfStoredRun,
  description: WfDescription | undefined,
): string | undefined {
  if (status === 'paused' || !description) return stepId
  // A step with a condition is the first one of a group of its own.
  const next = description.steps.find(step =>
    indexes.every((at, depth) => step.indexes[depth] === at),
  )
  return next?.stepId
}

function retryStateOf(run: WfStoredRun, description: WfDescription | undefined) {
  const { status, attempts, dueAt } = run
  if (status !== 'error') return undefined
  return {
    stepId: runningStepOf(run, description) ?? null,
    attempts,
    nextRetryAt: dueAt === undefined ? undefined : isoTime(dueAt),
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString()
