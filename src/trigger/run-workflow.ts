import { current } from '@wooksjs/event-core'
import type { WfTriggerDeps, WfRunOutput } from './deps'
import type { OpenRun } from './open-run'

/** Runs the steps up to the next pause or the end. */
export function runWorkflow(
  deps: WfTriggerDeps,
  { claim, isNew }: OpenRun,
  input: unknown,
): Promise<WfRunOutput> {
  const { state } = claim
  const checkpoint =
    claim.checkpoint && ((next: typeof state) => claim.checkpoint!({ ...next, meta: state.meta }))
  const options = { input, eventContext: current(), checkpoint, ownsState: true }
  return isNew ? deps.start(state.schemaId, state.context, options) : deps.resume(state, options)
}
