import { useResponse } from '@wooksjs/event-http'
import { sendFresh } from '../../run'
import { badRequest } from '../http-rejection'
import type { TriggerRequest } from '../read/read-request'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { doBehindAnswer } from './behind-answer'

/** Takes the wish for a link that is sent anew. Whether there is such a flow is not for whoever asks to know. */
export function askFresh(config: ResolvedOutletConfig, { token }: TriggerRequest): object {
  if (!config.fresh) throw badRequest('Links are not sent anew here.')
  if (token === undefined) throw badRequest(`Send the link along: ${config.token.name}.`)
  if (token.issued) {
    const tooMany = 'Too many ask for fresh links: one was not sent.'
    doBehindAnswer(config.fresh, () => sendFresh(config, token), tooMany)
  }
  useResponse().setStatus(202)
  return { accepted: true }
}
