import type { WfHeldRun, WfNewRun, WfRunChange, WfRunStore, WfStoredRun } from '../../state'
import { whoeverHolds } from './manage-run'

/** Writes a run in place of another that has its key, and says in both which one it is. */
export function supersedeOwner(
  runs: WfRunStore,
  owner: WfStoredRun,
  fresh: WfNewRun,
  { events: [first, ...events], ...change }: WfRunChange,
): Promise<WfHeldRun | null> {
  const { actor } = change
  const detail = { reason: 'superseded', by: fresh.flowId }
  const end: WfRunChange = {
    events: [{ type: 'cancelled', to: 'cancelled', detail }],
    actor,
    stepId: null,
  }
  const told = { ...first!, detail: { ...first!.detail, supersedes: owner.flowId } }
  return runs.supersede(whoeverHolds(owner), end, fresh, { ...change, events: [told, ...events] })
}
