import type {
  WfAdminQueued,
  WfAdminResent,
  WfAdminRun,
  WfAdminRunColumns,
  WfAdminRunPage,
  WfAdminRunView,
} from '@atscript/moost-wf/admin'
import { getJson, postJson } from '../api/api'

export const RUN_STATUSES = [
  'created',
  'active',
  'paused',
  'error',
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly WfAdminRun['status'][]

export interface RunQuery {
  readonly status: string
  readonly filter?: string
  readonly size: number
  readonly after?: string
}

const ROOT = '/api/admin'
const runPath = (flowId: string) => `${ROOT}/runs/${encodeURIComponent(flowId)}`

export const getRunColumns = () => getJson<WfAdminRunColumns>(`${ROOT}/run-columns`)
export const getRuns = (query: RunQuery, signal: AbortSignal) =>
  getJson<WfAdminRunPage>(`${ROOT}/runs`, { ...query }, signal)
export const getRun = (flowId: string, signal: AbortSignal) =>
  getJson<WfAdminRunView>(runPath(flowId), {}, signal)

// Each takes the version that was seen: an admin never acts on something else.
export const cancelRun = ({ flowId, version }: WfAdminRun, reason: string) =>
  postJson<{ cancelled: true }>(`${runPath(flowId)}/cancel`, { version, reason })
export const retryRun = ({ flowId, version }: WfAdminRun) =>
  postJson<{ retried: true }>(`${runPath(flowId)}/retry`, { version })
export const extendRun = ({ flowId, version }: WfAdminRun, ttlMs: number) =>
  postJson<{ extended: true }>(`${runPath(flowId)}/extend`, { version, ttlMs })
export const resendRun = ({ flowId, version }: WfAdminRun) =>
  postJson<WfAdminResent>(`${runPath(flowId)}/resend`, { version })
/** @param to `undefined` for the same address as before */
export const resendMessage = ({ flowId, version }: WfAdminRun, messageId: string, to?: string) =>
  postJson<WfAdminQueued>(`${runPath(flowId)}/messages/${encodeURIComponent(messageId)}/resend`, {
    version,
    to,
  })
