import { WfError } from '../../errors'
import type { WfHeldRun, WfRunStore, WfStoredRun } from '../../state'

/** What whoever has lost a run is told. */
export async function lostRun(runs: WfRunStore, { run }: WfHeldRun): Promise<WfError> {
  return lossOf(await runs.find(run.flowId, { everywhere: true }))
}

/** @param now the run as it is by now */
export function lossOf(now: WfStoredRun | null): WfError {
  return now?.status === 'cancelled'
    ? new WfError('WF_REVOKED', 'This run was cancelled.')
    : new WfError('WF_CONFLICT', 'Another process goes on with this run.')
}
