import { current } from '@wooksjs/event-core'
import type { WfFormAnswer } from '../state'
import { formsAt } from './asked-form'
import type { WfTriggerDeps } from './deps'
import { Rejection } from './rejection'
import type { RunConfig } from './run-config'
import { openRunScope } from './run-scope'

const FIRST = [0]

/** What was sent is not what the first form of a workflow takes. Nothing was started. */
export class FormRefused extends Rejection<'WF_REJECTED'> {
  constructor(
    readonly schema: unknown,
    /** What is said about what was sent. */
    readonly sentences: Readonly<Record<string, unknown>>,
  ) {
    super('WF_REJECTED', { message: 'Please check what you have entered.' })
  }
}

/**
 * Checks what a workflow is to be started with by its first form, if it has one, without starting it: what is
 * refused here is refused whether or not another run has the key.
 *
 * @throws FormRefused; whatever the step's guards refuse it with
 */
export async function checkFirstForm(
  config: RunConfig,
  deps: WfTriggerDeps,
  wfid: string,
  submit: WfFormAnswer,
): Promise<void> {
  const state = { schemaId: wfid, indexes: FIRST, context: {} }
  const form = formsAt(state, deps)?.find(({ isAsked }) => isAsked)
  if (!form) return
  const read = form.read(submit, form.digest)
  if ('answer' in read) return
  openRunScope(config, config.registry.forWorkflow(wfid).name)
  await deps.guard?.(state, { eventContext: current() })
  throw new FormRefused(form.schema, read.sentences)
}
