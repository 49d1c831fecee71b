import { current } from '@wooksjs/event-core'
import { notesOf } from '../state'
import type { UnansweredForm } from './asked-form'
import type { WfTriggerDeps } from './deps'
import type { RunPlace, SettledRun } from './execute-run'
import { noteOpened } from './note-opened'
import type { RequestToken } from './request-token'
import type { RunConfig } from './run-config'
import { openRunScope } from './run-scope'
import { shownAnswers } from './shown-answers'

const CALLER = 'http'

/**
 * Shows the form that a flow waits for to whoever has its token, and may see it. Nothing is used: the
 * token works as before.
 *
 * @throws whatever the step's guards refuse it with
 */
export async function showForm<P>(
  config: RunConfig,
  deps: WfTriggerDeps,
  { form, found, state, sentences }: UnansweredForm,
  token: RequestToken,
  place: Pick<RunPlace<P>, 'plan'>,
): Promise<SettledRun<P>> {
  const { flow, pause } = notesOf(state) ?? {}
  openRunScope(config, token.issued?.name ?? '')
  await deps.guard?.(state, { eventContext: current() })
  const others = shownAnswers(state, found.seat)
  const context = { ...form.passContext(state.context), ...others, ...sentences }
  const request = { outlet: CALLER, payload: form.schema, context }
  const text = String(token.text)
  const result = (await config.outlets.get(CALLER)?.deliver(request, text)) ?? {}
  noteOpened(token, state)
  const { expiresAt } = found
  const outcome = {
    kind: 'paused',
    outlet: CALLER,
    request,
    result,
    token: text,
    expiresAt,
  } as const
  const subject = { wfid: state.schemaId, flowId: flow?.flowId, browser: pause?.browser }
  return { ...subject, planned: place.plan(outcome), ended: false, isOnlyShown: true }
}
