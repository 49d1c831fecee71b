import type { WfAdminRun } from '@atscript/moost-wf/admin'
import { getCounts } from '../admin/admin-api'
import { getRun, getRunCounts, getRuns } from '../admin/runs-api'

/** What is paused or goes on. */
export interface WorkInFlight {
  /** Paused flows that are not durable runs. */
  readonly flows: number
  readonly runs: number
  /** Those that have ended are kept, too. */
  readonly allRuns: number
  /** The newest of the runs. */
  readonly newest: readonly WfAdminRun[]
}

const SHOWN = 5

export async function lookAtWork(signal: AbortSignal): Promise<WorkInFlight> {
  const [flows, runs, { runs: newest }] = await Promise.all([
    getCounts(signal),
    getRunCounts({}, signal),
    getRuns({ state: 'live', size: 10 }, signal),
  ])
  return {
    flows: flows.live,
    runs: runs.byState.live,
    allRuns: runs.total,
    newest: newest.slice(0, SHOWN),
  }
}

/** What has become of runs that were in flight. */
export const lookAgain = (runs: readonly WfAdminRun[], signal: AbortSignal) =>
  Promise.all(runs.map(({ flowId }) => getRun(flowId, signal)))
