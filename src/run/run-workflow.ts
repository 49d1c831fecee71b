import { current } from '@wooksjs/event-core'
import type { WfTriggerDeps, WfRunOutput } from './deps'
import { checkpointOf } from './checkpoint-of'
import { keepAlive } from './keep-alive'
import type { OpenRun } from './open-run'
import { Rejection } from './rejection'
import type { RunScope } from './run-scope'
import { assertOpened } from './sealed-input'
import { WfAbort } from './wf-abort'

/** Runs the steps up to the next pause, the end, or the step that aborts. */
export async function runWorkflow(
  deps: WfTriggerDeps,
  run: OpenRun,
  scope: RunScope,
  input: unknown,
): Promise<WfRunOutput | WfAbort> {
  const { claim, state, isNew } = run
  const checkpoint = checkpointOf(run, deps)
  // The action, like the input, is for the first step that runs, which is the one that had paused.
  const spy = (event: string) => {
    if (event === 'step') scope.action = undefined
  }
  const options = { input, eventContext: current(), checkpoint, ownsState: true, spy }
  try {
    const output = await keepAlive(claim, () =>
      isNew ? deps.start(state.schemaId, state.context, options) : deps.resume(state, options),
    )
    assertOpened(input)
    return output
  } catch (error) {
    if (error instanceof WfAbort) return error
    throw isNew && !deps.describe && isUnknownWorkflow(error) ? new Rejection('WF_UNKNOWN') : error
  }
}

// An app without `describe` can say only in this way that it does not know the workflow.
function isUnknownWorkflow(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Unknown schemaId')
}
