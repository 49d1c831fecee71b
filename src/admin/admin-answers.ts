import type { WfFlowProblem, WfGroupPosition } from '../state'
import type { WfRowColumn, WfRowId, WfSql } from '../store'

/** A column that can be shown, filtered and sorted by. */
export interface WfAdminColumn extends Omit<WfRowColumn, 'path'> {
  /** Whether it mirrors a value of the context. */
  readonly shadow: boolean
}

/** The columns, and what can be done with what is listed. */
export interface WfAdminColumns {
  readonly columns: readonly WfAdminColumn[]
  readonly canSearch: boolean
  readonly canResend: boolean
}

/** A paused flow in a list. */
export interface WfAdminRow {
  readonly id: WfRowId
  readonly version: number
  readonly status: 'live' | 'expired'
  /** By column. */
  readonly values: Readonly<Record<string, unknown>>
}

/** One page of a list, and what was run to get it. */
export interface WfAdminPage {
  readonly rows: readonly WfAdminRow[]
  readonly total: number
  readonly page: number
  readonly size: number
  readonly now: number
  readonly sql: readonly WfSql[]
}

/** A step of a flow, in the order of its workflow. */
export interface WfAdminStep {
  readonly id: string
  /** Where it stands; it is in each group whose path this one begins with. */
  readonly path: readonly number[]
  readonly status: 'done' | 'waiting' | 'to-come'
  /** Whether it may be skipped. */
  readonly conditional: boolean
  readonly loop: boolean
}

/** What stands in the way of a resume. */
export type WfAdminObstacle = 'expired' | 'unknown-workflow' | 'definition-changed' | 'damaged'

/** A paused flow and all that may be shown of it. */
export interface WfAdminFlow extends WfAdminRow {
  readonly now: number
  readonly schemaId: string
  readonly flowId: string | null
  readonly stepId: string | null
  readonly outlet: string | null
  readonly pauses: number | null
  /** Why it could not go on when someone last tried, if so. */
  readonly problem: WfFlowProblem | null
  readonly expiresAt: number | null
  readonly startedAt: number | null
  readonly startedBy: string | null
  readonly updatedAt: number
  readonly shape: { readonly flow: string | null; readonly build: string | null }
  readonly resumable: boolean
  readonly obstacle: WfAdminObstacle | null
  readonly context: unknown
  readonly steps: readonly WfAdminStep[]
  readonly groups: readonly WfAdminGroup[]
}

/** Steps that belong together: they are done in turn, or as long as a condition holds. */
export interface WfAdminGroup extends Omit<WfGroupPosition, 'indexes'> {
  readonly path: readonly number[]
}

/** A flow that lives longer now. */
export interface WfAdminExtended {
  readonly version: number
  readonly expiresAt: number
}

/** A flow, or a run, that has a new link. */
export interface WfAdminResent {
  readonly version: number
  readonly sent: true
}

/** How many flows are paused. */
export interface WfAdminCounts {
  readonly now: number
  readonly total: number
  readonly live: number
  readonly expired: number
  readonly byWorkflow: readonly {
    readonly schemaId: string
    readonly count: number
    readonly live: number
    readonly expired: number
    /** Whether this build has it. */
    readonly known: boolean
  }[]
  readonly byAge: readonly {
    readonly label: string
    readonly fromMs: number
    readonly toMs: number | null
    readonly count: number
  }[]
}
