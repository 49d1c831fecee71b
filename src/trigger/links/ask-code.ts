import { useResponse } from '@wooksjs/event-http'
import { sendCode, type WfTriggerDeps } from '../../run'
import { badRequest } from '../http-rejection'
import type { TriggerRequest } from '../read/read-request'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { doBehindAnswer } from './behind-answer'

/** Takes the wish for a code. Whether the link needs one is not for whoever asks to know. */
export async function askCode(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  request: TriggerRequest,
): Promise<object> {
  if (!config.codes) throw badRequest('Codes are not sent here.')
  if (request.token === undefined) throw badRequest(`Send the link along: ${config.token.name}.`)
  if (request.token.issued) {
    // Whoever is signed in is known as long as the request is there.
    const actor = await config.actor()
    const send = () => sendCode(config, deps, request, actor)
    doBehindAnswer(config.codes, send, 'Too many ask for codes: one was not sent.')
  }
  useResponse().setStatus(202)
  return { accepted: true }
}
