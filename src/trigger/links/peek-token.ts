import { randomUUID } from 'node:crypto'
import { useResponse } from '@wooksjs/event-http'
import { isRefusal } from '../../state'
import { admission } from '../../run/admission'
import type { WfTriggerDeps } from '../../run/deps'
import { explainRefusal } from '../../run/explain-refusal'
import { askToConfirm } from './answer-page'
import { CONFIRM, REQUEST_ID, type TriggerRequest } from '../read/read-request'
import { methodRejection, rejectionOf } from '../../run/rejection'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'

/** Looks at a token for GET and HEAD. Mail scanners open every link: reading one is not using it. */
export async function peekToken(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  { token }: TriggerRequest,
  asPage: boolean,
): Promise<unknown> {
  if (!token) throw methodRejection()
  const found = config.registry.forToken(token.value)
  if (!found) throw rejectionOf({ reason: 'garbled' }, false)
  const peek = await found.strategy.peek(found.raw)
  if (isRefusal(peek))
    throw rejectionOf(await explainRefusal(config, deps, token.value, peek), false)
  const refused = admission(config, deps, { strategyName: found.name })(peek)
  if (refused) throw rejectionOf(await explainRefusal(config, deps, token.value, refused), false)
  useResponse().setStatus(200)
  const wfid = peek.state.schemaId
  if (!asPage) return { resumable: true, wfid, expiresAt: peek.expiresAt }
  const fields = {
    // A cookie that scripts cannot see must not stand on a page that they can.
    ...(token.source !== 'cookie' && { [config.token.name]: String(token.value) }),
    [CONFIRM]: '1',
    // A double click on the button is one request.
    [REQUEST_ID]: randomUUID(),
  }
  return askToConfirm(config, { wfid, expiresAt: peek.expiresAt, fields })
}
