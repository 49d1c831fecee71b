import type { WfRunEvent } from '../../state'
import type { WfAdminFlow } from '../admin-answers'
import type { WfAdminRunStep } from './run-answers'

/** The steps of a run, and what its history tells of each: where it has been, and how often. */
export function describeRunSteps(
  steps: WfAdminFlow['steps'],
  events: readonly WfRunEvent[],
): WfAdminRunStep[] {
  const visits = countEvents(events, 'step_completed')
  const failures = countEvents(events, 'step_failed')
  return steps.map(step => ({
    ...step,
    visits: visits.get(step.id) ?? 0,
    failures: failures.get(step.id) ?? 0,
  }))
}

function countEvents(events: readonly WfRunEvent[], type: WfRunEvent['type']) {
  const counts = new Map<string, number>()
  for (const { stepId, type: is } of events) {
    if (is === type && stepId !== undefined) counts.set(stepId, (counts.get(stepId) ?? 0) + 1)
  }
  return counts
}
