import { current, useLogger } from '@wooksjs/event-core'
import type { WfStepForm } from '../state'
import { formsAt } from './asked-form'
import type { WfTriggerDeps } from './deps'
import { Rejection } from './rejection'
import type { RunConfig } from './run-config'
import { openRunScope } from './run-scope'

const FIRST = [0]

/**
 * The form that a workflow begins with. Nothing is started: the first submit does that.
 *
 * @returns nothing if the workflow does not begin with a step that asks for a form of its own
 * @throws Rejection `WF_UNKNOWN`, `WF_NOT_ALLOWED`; whatever the step's guards refuse it with
 */
export async function describeStart(
  config: RunConfig,
  deps: WfTriggerDeps,
  wfid: string,
): Promise<WfStepForm | undefined> {
  if (!deps.describe?.(wfid)) throw new Rejection('WF_UNKNOWN')
  if (!config.allows(wfid)) throw new Rejection('WF_NOT_ALLOWED', { reason: 'not-allowed' })
  const state = { schemaId: wfid, indexes: FIRST, context: {} }
  const form = formsAt(state, deps)?.find(({ isAsked }) => isAsked)
  if (!form) {
    useLogger().warn(
      `Workflow "${wfid}" cannot be described: it begins with no step that has a @WfInput().`,
    )
    return undefined
  }
  openRunScope(config, config.registry.forWorkflow(wfid).name)
  await deps.guard?.(state, { eventContext: current() })
  return form
}
