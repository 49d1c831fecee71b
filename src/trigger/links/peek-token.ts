import { useResponse } from '@wooksjs/event-http'
import { peekRun, type WfTriggerDeps } from '../../run'
import type { TriggerRequest } from '../read/read-request'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { answerPerson, askToConfirm } from './answer-page'
import { fromPage, tokenField } from './page-fields'

/** Looks at a token for GET and HEAD. Mail scanners open every link: reading one is not using it. */
export async function peekToken(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  request: TriggerRequest,
  asPage: boolean,
): Promise<unknown> {
  const { state, expiresAt, shown, retryAt } = await peekRun(config, deps, request, {
    actor: config.actor,
  })
  if (retryAt !== undefined) {
    useResponse().setStatus(202)
    const body = { retrying: true, retryAt }
    return asPage ? answerPerson(config, { body, request }) : body
  }
  useResponse().setStatus(200)
  const wfid = state.schemaId
  const form = shown && config.envelope.form(shown.form.schema, shown.context)
  if (!asPage) return { resumable: true, wfid, expiresAt, ...form }
  const token = tokenField(config, request)
  // A scanner that sees the form learns what a look may learn. What else there is comes with a click.
  const isAtOnce = form && !shown.hidesContext && config.page.showsForms
  if (isAtOnce && typeof config.page.confirm !== 'function') {
    return answerPerson(config, { body: { ...form, ...token }, wfid, request, isOnlyShown: true })
  }
  return askToConfirm(config, { wfid, expiresAt, fields: { ...token, ...fromPage() } })
}
