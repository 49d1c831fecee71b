import { type WfRunDeadline, waitingTimesOf } from '../strategies'
import { askedOf, type WfRunAsked } from './run-asked'
import { isEnd, notesOf, type WfRowColumn, type WfRunStatus, type WfStoredRun } from '../state'

/** A step that is tried again. */
export interface WfRunRetryState {
  readonly stepId?: string | undefined
  /** How often it was tried. */
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly nextRetryAt: number
}

/** A run as its application sees it: nothing that is sealed, and nothing of who holds it. */
export interface WfRunView {
  readonly flowId: string
  readonly schemaId: string
  readonly status: WfRunStatus
  /** Whether it has ended. */
  readonly isTerminal: boolean
  /** Where it stands. */
  readonly stepId?: string | undefined
  /** The same as a path into its workflow; empty before it begins. */
  readonly indexes: readonly number[]
  /** Goes up with every event of its history. */
  readonly version: number
  readonly context: unknown
  /** The name of the signal that it waits for. */
  readonly waitsFor?: string | undefined
  readonly runKey?: string | undefined
  readonly correlationId?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** How often the step has failed at which it stands. */
  readonly attempts: number
  readonly lastError?: Readonly<Record<string, unknown>> | undefined
  /** Of a run whose step has failed, and is tried again by itself. */
  readonly retryState?: WfRunRetryState | undefined
  /** Of a run whose pause waits until then. */
  readonly deadline?: WfRunDeadline | undefined
  /** When the last of the links expires by which its pause can be answered; it may be over. */
  readonly expiresAt?: number | undefined
  /** The outlet by which somebody else was asked, of a run that waits for them. */
  readonly outlet?: string | undefined
  /** The address of the only one whom it asks. */
  readonly recipient?: string | undefined
  /** The people whom it asks at the same time, and what they have said. */
  readonly asked?: WfRunAsked | undefined
  /** When it goes on by itself, for a run that rests. */
  readonly wakeAt?: number | undefined
  /** What it came to: `data`, and `aborted` with its `reason`. */
  readonly result?: Readonly<Record<string, unknown>> | undefined
  /** Somebody works on it, as far as is known. */
  readonly isHeld: boolean
  /** For how long its steps have run, in milliseconds. */
  readonly activeMs: number
  readonly startedAt: number
  readonly startedBy?: string | undefined
  readonly updatedAt: number
  readonly completedAt?: number | undefined
  /** What the shadow columns of its row say. */
  readonly shadows: Readonly<Record<string, unknown>>
}

/** @param columns those of its row */
export function viewOf(run: WfStoredRun, columns: readonly WfRowColumn[] = []): WfRunView {
  const { flowId, schemaId, status, stepId, version, state, runKey, correlationId, metadata } = run
  const { attempts, lastError, result, leaseOwner, activeMs } = run
  const { startedAt, startedBy, updatedAt, completedAt } = run
  return {
    flowId,
    schemaId,
    status,
    isTerminal: isEnd(status),
    stepId,
    indexes: state.indexes,
    version,
    context: state.context,
    waitsFor: run.waitsFor,
    runKey,
    correlationId,
    metadata,
    attempts,
    lastError,
    retryState: retryStateOf(run),
    ...waitingTimesOf(run),
    ...askedBy(run),
    asked: askedOf(run),
    result,
    isHeld: leaseOwner !== undefined,
    activeMs,
    startedAt,
    startedBy,
    updatedAt,
    completedAt,
    shadows: Object.fromEntries(
      columns.filter(({ path }) => path).map(({ name }) => [name, valueIn(run, name)]),
    ),
  }
}

/** A run that goes on, rests or waits for a machine has asked nobody, whatever it notes of its last pause. */
function askedBy(run: WfStoredRun): Pick<WfRunView, 'expiresAt' | 'outlet' | 'recipient'> {
  const { status, expiresAt, waitsFor, state } = run
  if (status !== 'paused' || waitsFor !== undefined) return {}
  if (waitingTimesOf(run).wakeAt !== undefined) return {}
  const { outlet, outOfBand, recipient } = notesOf(state)?.pause ?? {}
  return outOfBand ? { expiresAt, outlet, recipient: recipient?.target } : { expiresAt }
}

function retryStateOf(run: WfStoredRun): WfRunRetryState | undefined {
  const { status, attempts, dueAt, lastError, leaseOwner } = run
  if (status !== 'error' || dueAt === undefined || leaseOwner !== undefined) return undefined
  const { stepId = run.stepId } = lastError ?? {}
  return { stepId: typeof stepId === 'string' ? stepId : undefined, attempts, nextRetryAt: dueAt }
}

/** A row may have more columns than every run has. */
function valueIn(run: WfStoredRun, column: string): unknown {
  return (run as unknown as Readonly<Record<string, unknown>>)[column] ?? null
}
