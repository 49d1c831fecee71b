import type { WfHeldRun, WfNewRunEvent } from '../../state'
import type { ResolvedDurableOptions } from './durable-options'

/** Whether a run has lost its process so often that it will again. */
export function isHopeless({ run: { lastError } }: WfHeldRun, maxRecoveries: number): boolean {
  return lastError?.code === 'WF_LOST' && Number(lastError.times) > maxRecoveries
}

/** Ends a run whose step takes every process along. */
export async function giveUpRun(
  { runs, ends }: ResolvedDurableOptions,
  held: WfHeldRun,
  actor: string | undefined,
): Promise<void> {
  const { status, stepId, lastError, flowId, answer } = held.run
  const { code, times } = lastError ?? {}
  const events: WfNewRunEvent[] = [
    { type: 'recovered', to: status === 'active' ? undefined : 'active' },
    { type: 'workflow_failed', to: 'failed', stepId, detail: { code, times } },
  ]
  await runs.commit(held, { events, actor, answer })
  ends.tell(flowId)
}
