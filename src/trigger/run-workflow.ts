import { current } from '@wooksjs/event-core'
import type { WfTriggerDeps, WfRunOutput } from './deps'
import type { OpenRun } from './open-run'
import { Rejection } from './rejection'

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
  if (!isNew) return deps.resume(state, options)
  const started = deps.start(state.schemaId, state.context, options)
  return deps.describe ? started : started.catch(rejectUnknown)
}

// An app without `describe` can say only in this way that it does not know the workflow.
function rejectUnknown(error: unknown): never {
  const isUnknown = error instanceof Error && error.message.startsWith('Unknown schemaId')
  throw isUnknown ? new Rejection('WF_UNKNOWN') : error
}
