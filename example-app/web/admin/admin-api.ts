import type {
  WfAdminColumns,
  WfAdminCounts,
  WfAdminExtended,
  WfAdminFlow,
  WfAdminJob,
  WfAdminPage,
  WfAdminResent,
  WfAdminRow,
} from '@atscript/moost-wf/admin'
import { getJson, postJson } from '../api/api'

export type JobKind = Extract<WfAdminJob['kind'], 'heal' | 'cleanup'>

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

export const getColumns = () => getJson<WfAdminColumns>(`${ROOT}/columns`)
export const getFlows = (query: FlowQuery, signal: AbortSignal) =>
  getJson<WfAdminPage>(`${ROOT}/flows`, { ...query }, signal)
export const getFlow = (id: string, signal: AbortSignal) =>
  getJson<WfAdminFlow>(flowPath(id), {}, signal)
export const getCounts = (signal?: AbortSignal) =>
  getJson<WfAdminCounts>(`${ROOT}/counts`, {}, signal)
export const getJobs = async (signal: AbortSignal) =>
  (await getJson<{ jobs: readonly WfAdminJob[] }>(`${ROOT}/jobs`, {}, signal)).jobs
export const startJob = (kind: JobKind) => postJson<{ job: string }>(`${ROOT}/${kind}`)

// Each takes the version that was seen: an admin never acts on something else.
export const revokeFlow = ({ id, version }: WfAdminRow) =>
  postJson<{ revoked: true }>(`${flowPath(id)}/revoke`, { version })
export const extendFlow = ({ id, version }: WfAdminRow, ttlMs: number) =>
  postJson<WfAdminExtended>(`${flowPath(id)}/extend`, { version, ttlMs })
export const resendFlow = ({ id, version }: WfAdminRow) =>
  postJson<WfAdminResent>(`${flowPath(id)}/resend`, { version })
