import { useResponse } from '@wooksjs/event-http'
import { isRefusal } from '../state'
import { admission } from './admission'
import type { WfTriggerDeps } from './deps'
import type { TriggerRequest } from './read-request'
import { methodRejection, rejectionOf } from './rejection'
import type { ResolvedOutletConfig } from './resolve-outlet-config'

/** Looks at a token for GET and HEAD. Mail scanners open every link: reading one is not using it. */
export async function peekToken(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  { token }: TriggerRequest,
): Promise<unknown> {
  if (!token) throw methodRejection()
  const found = config.registry.forToken(token.value)
  if (!found) throw rejectionOf('garbled', false)
  const peek = await found.strategy.peek(found.raw)
  if (isRefusal(peek)) throw rejectionOf(peek.refusal, false)
  const refused = admission(config, deps, { strategyName: found.name })(peek)
  if (refused) throw rejectionOf(refused.refusal, false)
  useResponse().setStatus(200)
  return { resumable: true, wfid: peek.state.schemaId, expiresAt: peek.expiresAt }
}
