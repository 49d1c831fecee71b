import { isRecord } from '../../state'
import { setStatus } from './answer-headers'
import { writeBrowserCookie } from './browser-cookie'
import type { WfTokenSource } from '../outlet-config'
import type { Delivery } from '../../run/pause-run'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { clearTokenCookie, writeTokenCookie } from './token-cookie'

/** Answers the caller of a request that has paused the workflow. */
export function answerPause(
  config: ResolvedOutletConfig,
  delivery: Delivery,
  source: WfTokenSource | undefined,
): unknown {
  setStatus(delivery.result.status ?? 200)
  const body = giveToken(config, delivery, source)
  if (delivery.mark) writeBrowserCookie(config, delivery.mark)
  return body
}

function giveToken(
  config: ResolvedOutletConfig,
  { result, token, expiresAt }: Delivery,
  source: WfTokenSource | undefined,
): unknown {
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
