import { getJson, postJson } from '../api/api'

/** A column of the table, as `GET columns` tells. */
export interface Column {
  readonly name: string
  readonly label: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'timestamp'
  /** Whether it mirrors a value of the context. */
  readonly shadow: boolean
  readonly isId: boolean
  readonly nullable: boolean
  readonly hidden: boolean
  readonly options?: readonly (string | number | boolean)[]
}

export interface Columns {
  readonly columns: readonly Column[]
  readonly canSearch?: boolean
  readonly canResend: boolean
}

export interface FlowRow {
  readonly id: string | number
  readonly version: number
  readonly status: 'live' | 'expired'
  readonly values: Readonly<Record<string, unknown>>
}

export interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

export interface FlowPage {
  readonly rows: readonly FlowRow[]
  readonly total: number
  readonly page: number
  readonly size: number
  readonly now: number
  readonly sql: readonly Statement[]
}

export interface Step {
  readonly id: string
  readonly path: readonly number[]
  readonly status: 'done' | 'waiting' | 'to-come'
  readonly conditional: boolean
  readonly loop: boolean
}

export interface Group {
  readonly path: readonly number[]
  readonly kind: 'loop' | 'group'
  readonly conditional: boolean
}

export interface Flow extends FlowRow {
  readonly now: number
  readonly schemaId: string
  readonly flowId: string | null
  readonly stepId: string | null
  readonly outlet: string | null
  readonly pauses: number | null
  readonly expiresAt: number | null
  readonly startedAt: number | null
  readonly startedBy: string | null
  readonly updatedAt: number
  readonly shape: { readonly flow: string | null; readonly build: string | null }
  /** Why it could not go on when someone last tried. */
  readonly problem: { readonly code: string; readonly at: number; readonly times: number } | null
  readonly resumable: boolean
  readonly obstacle: 'expired' | 'unknown-workflow' | 'definition-changed' | 'damaged' | null
  readonly context: unknown
  readonly steps: readonly Step[]
  readonly groups: readonly Group[]
}

export interface Counts {
  readonly now: number
  readonly total: number
  readonly live: number
  readonly expired: number
  readonly byWorkflow: readonly {
    readonly schemaId: string
    readonly count: number
    readonly live: number
    readonly expired: number
    readonly known: boolean
  }[]
  readonly byAge: readonly { readonly label: string; readonly count: number }[]
}

export type JobKind = 'heal' | 'cleanup'

export interface Job {
  readonly id: string
  readonly kind: JobKind
  readonly state: 'running' | 'done' | 'failed'
  readonly scanned: number
  readonly changed: number
  readonly total: number | null
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly message: string | null
}

export interface FlowQuery {
  readonly status: string
  readonly filter?: string
  readonly search: string
  readonly sort: string
  readonly page: number
  readonly size: number
}

const ROOT = '/api/admin'
const flowPath = (id: string | number) => `${ROOT}/flows/${encodeURIComponent(id)}`

export const getColumns = () => getJson<Columns>(`${ROOT}/columns`)
export const getFlows = (query: FlowQuery, signal: AbortSignal) =>
  getJson<FlowPage>(`${ROOT}/flows`, { ...query }, signal)
export const getFlow = (id: string, signal: AbortSignal) => getJson<Flow>(flowPath(id), {}, signal)
export const getCounts = (signal?: AbortSignal) => getJson<Counts>(`${ROOT}/counts`, {}, signal)
export const getJobs = async (signal: AbortSignal) =>
  (await getJson<{ jobs: readonly Job[] }>(`${ROOT}/jobs`, {}, signal)).jobs
export const startJob = (kind: JobKind) => postJson<{ job: string }>(`${ROOT}/${kind}`)

// Each takes the version that was seen: an admin never acts on something else.
export const revokeFlow = ({ id, version }: FlowRow) =>
  postJson<{ revoked: true }>(`${flowPath(id)}/revoke`, { version })
export const extendFlow = ({ id, version }: FlowRow, ttlMs: number) =>
  postJson<{ version: number; expiresAt: number }>(`${flowPath(id)}/extend`, { version, ttlMs })
export const resendFlow = ({ id, version }: FlowRow) =>
  postJson<{ version: number; sent: true }>(`${flowPath(id)}/resend`, { version })
