import type { WfRunStatus } from '../../state'
import type { WfAdminFlow } from '../admin-answers'

/** A durable run in a list. */
export interface WfAdminRun {
  readonly flowId: string
  readonly schemaId: string
  readonly version: number
  readonly status: WfRunStatus
  readonly stepId: string | null
  /** How often the step has failed at which it stands. */
  readonly attempts: number
  readonly lastError: unknown
  /** Whether somebody works on it. */
  readonly isHeld: boolean
  readonly correlationId: string | null
  readonly runKey: string | null
  readonly startedAt: number
  readonly startedBy: string | null
  readonly updatedAt: number
  readonly completedAt: number | null
  /** For how long its steps have run, in milliseconds. */
  readonly activeMs: number
  /** What the shadow columns say, by column. */
  readonly values: Readonly<Record<string, unknown>>
}

/** Some runs, the one that was started last first. */
export interface WfAdminRunPage {
  readonly runs: readonly WfAdminRun[]
  /** Where the next page begins, if there is one. */
  readonly next: string | null
  readonly now: number
}

/** What has happened to a run. */
export interface WfAdminRunEvent {
  readonly seq: number
  readonly type: string
  readonly stepId: string | null
  readonly at: number
  readonly actor: string | null
  readonly detail: unknown
}

/** A run and all that may be shown of it. */
export interface WfAdminRunView extends WfAdminRun, Pick<WfAdminFlow, 'steps' | 'groups'> {
  readonly now: number
  /** When the link expires, or has, by which it waits; `null` for never, or while it waits for nobody. */
  readonly expiresAt: number | null
  /** Whom the link was sent to by which it waits. */
  readonly recipient: string | null
  readonly context: unknown
  readonly metadata: unknown
  readonly result: unknown
  /** The oldest first. */
  readonly history: readonly WfAdminRunEvent[]
}
