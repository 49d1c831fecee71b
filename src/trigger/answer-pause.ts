import { isRecord } from '../state'
import { setStatus } from './answer-headers'
import type { WfTokenSource } from './outlet-config'
import type { Delivery } from './pause-run'
import type { ResolvedOutletConfig } from './resolve-outlet-config'
import { clearTokenCookie, writeTokenCookie } from './token-cookie'

/** Answers the caller of a request that has paused the workflow. */
export function answerPause(
  config: ResolvedOutletConfig,
  { result, token, expiresAt }: Delivery,
  source: WfTokenSource | undefined,
): unknown {
  setStatus(result.status ?? 200)
  const body = result.response ?? {}
  const byCookie = config.token.write === 'cookie'
  if (token === undefined) {
    if (byCookie || source === 'cookie') clearTokenCookie(config)
    return body
  }
  if (byCookie) {
    writeTokenCookie(config, token, expiresAt)
    return body
  }
  return { ...(isRecord(body) ? body : { response: body }), [config.token.name]: token }
}
