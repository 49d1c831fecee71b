import type {
  WfAdminDeedPreview,
  WfAdminDeedStarted,
  WfAdminJob,
  WfAdminMessagePreview,
  WfAdminQueued,
  WfAdminResent,
  WfAdminRun,
  WfAdminRunColumns,
  WfAdminRunCounts,
  WfAdminRunDeed,
  WfAdminRunFunnel,
  WfAdminRunPage,
  WfAdminRunSelection,
  WfAdminRunTrends,
  WfAdminTrendSpan,
  WfAdminRunView,
} from '@atscript/moost-wf/admin'
import { getJson, postJson } from '../api/api'

export interface RunQuery extends WfAdminRunSelection {
  readonly size: number
  readonly after?: string
}

/** What is to be done with many runs. */
export interface AskedDeed {
  readonly action: WfAdminRunDeed
  readonly runs?: readonly Pick<WfAdminRun, 'flowId' | 'version'>[]
  readonly select?: WfAdminRunSelection
  readonly ttlMs?: number
  readonly reason?: string
  /** Whose parts go to whom. */
  readonly from?: string
  readonly to?: string
}

const ROOT = '/api/admin'
const runPath = (flowId: string) => `${ROOT}/runs/${encodeURIComponent(flowId)}`

export const getRunColumns = () => getJson<WfAdminRunColumns>(`${ROOT}/run-columns`)
export const getRuns = (query: RunQuery, signal: AbortSignal) =>
  getJson<WfAdminRunPage>(`${ROOT}/runs`, { ...query }, signal)
export const getRunCounts = (selection: WfAdminRunSelection, signal: AbortSignal) =>
  getJson<WfAdminRunCounts>(`${ROOT}/run-counts`, { ...selection }, signal)
export const getRunFunnel = (workflow: string, signal: AbortSignal) =>
  getJson<WfAdminRunFunnel>(`${ROOT}/run-funnel`, { workflow }, signal)
export const getRunTrends = (
  query: { readonly span: WfAdminTrendSpan; readonly workflow?: string },
  signal: AbortSignal,
) => getJson<WfAdminRunTrends>(`${ROOT}/run-trends`, { ...query }, signal)
export const previewDeed = (asked: AskedDeed) =>
  postJson<WfAdminDeedPreview>(`${ROOT}/run-actions/preview`, asked)
/** @param count what the preview has counted: the server refuses another number */
export const actOnRuns = (asked: AskedDeed, count: number) =>
  postJson<WfAdminDeedStarted>(`${ROOT}/run-actions`, { ...asked, count })
export const getJob = (id: string) => getJson<WfAdminJob>(`${ROOT}/jobs/${encodeURIComponent(id)}`)
/** Where a file of what is listed comes from. */
export function exportPath(
  selection: WfAdminRunSelection,
  format: 'csv' | 'json',
  columns: readonly string[],
): string {
  const asked = { ...selection, format, columns: columns.join(',') }
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== '')
  return `${ROOT}/run-export?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
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
/** @param part the id of somebody who is asked */
export const reassignRun = (
  { flowId, version }: WfAdminRun,
  part: string,
  to: string,
  reason: string,
) => postJson<WfAdminQueued>(`${runPath(flowId)}/reassign`, { version, from: part, to, reason })
export const getMessage = (flowId: string, messageId: string) =>
  getJson<WfAdminMessagePreview>(`${runPath(flowId)}/messages/${encodeURIComponent(messageId)}`)
/** @param to `undefined` for the same address as before */
export const resendMessage = ({ flowId, version }: WfAdminRun, messageId: string, to?: string) =>
  postJson<WfAdminQueued>(`${runPath(flowId)}/messages/${encodeURIComponent(messageId)}/resend`, {
    version,
    to,
  })
