import { useResponse } from '@wooksjs/event-http'
import { isRefusal } from '../state'
import { admission } from './admission'
import type { WfTriggerDeps } from './deps'
import type { TriggerRequest } from './read-request'
import { Rejection, rejectionOf } from './rejection'
import type { ResolvedOutletConfig } from './resolve-outlet-config'

/** Looks at a token for GET and HEAD. Mail scanners open every link: reading one is not using it. */
export async function peekToken(
  config: ResolvedOutletConfig,
  deps: WfTriggerDeps,
  { token }: TriggerRequest,
): Promise<unknown> {
  if (!token) throw methodRejection()
  const found = typeof token.value === 'string' ? config.registry.forToken(token.value) : null
  const peek = found ? await found.strategy.peek(found.raw) : ({ refusal: 'garbled' } as const)
  const refusal = isRefusal(peek) ? peek : admission(config, deps, undefined)(peek)
  if (isRefusal(peek) || refusal) throw rejectionOf(refusal?.refusal ?? 'garbled', false)
  useResponse().setStatus(200)
  return { resumable: true, wfid: peek.state.schemaId, expiresAt: peek.expiresAt }
}

export function methodRejection(): Rejection {
  return new Rejection('WF_METHOD', { headers: { allow: 'POST' } })
}
