import { getJson, postJson } from '../api/api'
import type { Column, Group, Step } from './admin-api'

export const RUN_STATUSES = [
  'created',
  'active',
  'paused',
  'error',
  'completed',
  'failed',
  'cancelled',
] as const

export type RunStatus = (typeof RUN_STATUSES)[number]

/** A durable run in a list. */
export interface Run {
  readonly flowId: string
  readonly schemaId: string
  readonly version: number
  readonly status: RunStatus
  readonly stepId: string | null
  readonly attempts: number
  /** Codes, never messages. */
  readonly lastError: {
    readonly code?: string
    readonly at?: number
    readonly times?: number
  } | null
  readonly isHeld: boolean
  readonly correlationId: string | null
  readonly runKey: string | null
  readonly startedAt: number
  readonly startedBy: string | null
  readonly updatedAt: number
  readonly completedAt: number | null
  readonly activeMs: number
  /** The shadow columns. */
  readonly values: Readonly<Record<string, unknown>>
}

export interface RunPage {
  readonly runs: readonly Run[]
  readonly next: string | null
  readonly now: number
}

export interface RunEvent {
  readonly seq: number
  readonly type: string
  readonly stepId: string | null
  readonly at: number
  readonly actor: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** A message that announces a pause, without what it says. */
export interface RunMessage {
  readonly messageId: string
  readonly outlet: string
  readonly recipient: string | null
  readonly status: 'waiting' | 'sent' | 'undelivered' | 'dropped'
  readonly attempts: number
  readonly nextAttemptAt: number | null
  readonly lastError: { readonly code?: string } | null
  readonly createdAt: number
  readonly settledAt: number | null
  /** Whether somebody still waits by its link. */
  readonly isAwaited: boolean
}

/** A run, and all that may be shown of it. */
export interface ShownRun extends Run {
  readonly now: number
  readonly expiresAt: number | null
  readonly recipient: string | null
  readonly retryState: { readonly attempts: number; readonly nextRetryAt: number } | null
  readonly deadline: {
    readonly at: number
    readonly onTimeout: string
    readonly nextReminderAt?: number
    readonly reminders: number
  } | null
  readonly wakeAt: number | null
  readonly waitsFor: string | null
  readonly context: unknown
  readonly metadata: unknown
  readonly result: unknown
  readonly steps: readonly Step[]
  readonly groups: readonly Group[]
  readonly messages: readonly RunMessage[]
  readonly history: readonly RunEvent[]
}

export interface RunColumns {
  readonly columns: readonly Column[]
  readonly canResend: boolean
}

export interface RunQuery {
  readonly status: string
  readonly filter?: string
  readonly size: number
  readonly after?: string
}

const ROOT = '/api/admin'
const runPath = (flowId: string) => `${ROOT}/runs/${encodeURIComponent(flowId)}`

export const getRunColumns = () => getJson<RunColumns>(`${ROOT}/run-columns`)
export const getRuns = (query: RunQuery, signal: AbortSignal) =>
  getJson<RunPage>(`${ROOT}/runs`, { ...query }, signal)
export const getRun = (flowId: string, signal: AbortSignal) =>
  getJson<ShownRun>(runPath(flowId), {}, signal)

// Each takes the version that was seen: an admin never acts on something else.
export const cancelRun = ({ flowId, version }: Run, reason: string) =>
  postJson<{ cancelled: true }>(`${runPath(flowId)}/cancel`, { version, reason })
export const retryRun = ({ flowId, version }: Run) =>
  postJson<{ retried: true }>(`${runPath(flowId)}/retry`, { version })
export const extendRun = ({ flowId, version }: Run, ttlMs: number) =>
  postJson<{ extended: true }>(`${runPath(flowId)}/extend`, { version, ttlMs })
export const resendRun = ({ flowId, version }: Run) =>
  postJson<{ version: number; sent: true }>(`${runPath(flowId)}/resend`, { version })
/** @param to `undefined` for the same address as before */
export const resendMessage = ({ flowId, version }: Run, messageId: string, to?: string) =>
  postJson<{ version: number; queued: true }>(
    `${runPath(flowId)}/messages/${encodeURIComponent(messageId)}/resend`,
    { version, to },
  )
