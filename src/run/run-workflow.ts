import { current } from '@wooksjs/event-core'
import type { WfTriggerDeps, WfRunOutput } from './deps'
import { checkpointOf } from './checkpoint-of'
import { keepAlive } from './keep-alive'
import type { OpenRun } from './open-run'
import { heardFinish } from './public-finished'
import { Rejection } from './rejection'
import type { RunConfig } from './run-config'
import type { RunHooks, RunScope } from './run-scope'
import { assertOpened } from './sealed-input'
import { inStep } from './step-place'
import { WfAbort } from './wf-abort'

/** Runs the steps up to the next pause, the end, or the step that aborts. */
export async function runWorkflow(
  config: Pick<RunConfig, 'onFinished'>,
  deps: WfTriggerDeps,
  run: OpenRun,
  scope: RunScope,
  input: unknown,
): Promise<WfRunOutput | WfAbort> {
  const { claim, state, isNew } = run
  // The action, like the input, is for the first step that runs, which is the one that had paused.
  const stepDone = () => {
    scope.stepsRun++
    scope.action = undefined
    hear(scope)
  }
  const { schemaId } = state
  const stepFailed = (position: readonly number[]) => {
    const description = deps.describe?.(schemaId)
    const stepId = description?.stepIdAt(position)
    scope.failedStep =
      stepId === undefined ? undefined : { stepId, retry: description?.policyOf?.(stepId)?.retry }
  }
  const checkpoint = checkpointOf(config, run, deps)
  const isBound = scope.transaction !== undefined
  const enter: RunHooks['inStep'] = isBound ? step => inStep(scope, step) : undefined
  scope.hooks = { schemaId, inStep: enter, stepDone, stepFailed, checkpoint }
  // For a workflow app that does not take the hooks.
  const spy = (event: string) => {
    if (event === 'step' && scope.hooks) stepDone()
  }
  const options = { input, eventContext: current(), ownsState: true, spy }
  try {
    const output = await keepAlive(claim, () =>
      isNew ? deps.start(state.schemaId, state.context, options) : deps.resume(state, options),
    )
    assertOpened(input)
    hear(scope)
    return output
  } catch (error) {
    // A step that ends its run by throwing has not been completed.
    if (error instanceof WfAbort) await claim.undoStep?.()
    if (error instanceof WfAbort) return error
    throw isNew && !deps.describe && isUnknownWorkflow(error) ? new Rejection('WF_UNKNOWN') : error
  } finally {
    scope.transaction = undefined
  }
}

/** What is said in the event of a step is gone with it, and an app may not tell of its steps. */
function hear(scope: RunScope): void {
  scope.heard = heardFinish() ?? scope.heard
}

// An app without `describe` can say only in this way that it does not know the workflow.
function isUnknownWorkflow(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Unknown schemaId')
}
