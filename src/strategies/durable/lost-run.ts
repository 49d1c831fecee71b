import { WfError } from '../../errors'
import type { WfHeldRun, WfRunStore } from '../../state'

/** What whoever has lost a run is told. */
export async function lostRun(runs: WfRunStore, { run }: WfHeldRun): Promise<WfError> {
  const now = await runs.find(run.flowId, { everywhere: true })
  return now?.status === 'cancelled'
    ? new WfError('WF_REVOKED', 'This run was cancelled.')
    : new WfError('WF_CONFLICT', 'Another process goes on with this run.')
}
