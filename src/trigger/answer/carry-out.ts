import { useResponse } from '@wooksjs/event-http'
import { isRecord } from '../../state'
import type { WfTokenSource } from '../outlet-config'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { setStatus } from './answer-headers'
import { writeBrowserCookie } from './browser-cookie'
import type { AnswerPlan } from './plan-answer'
import { clearTokenCookie, writeTokenCookie } from './token-cookie'

/**
 * Answers as it was planned.
 *
 * @param source where the caller's token came from
 * @returns the body
 */
export function carryOut(
  config: ResolvedOutletConfig,
  plan: AnswerPlan,
  source: WfTokenSource | undefined,
): unknown {
  const { status, location, cookies = {}, mark } = plan
  const response = useResponse()
  const body = giveToken(config, plan, source)
  for (const [name, { value, options }] of Object.entries(cookies)) {
    response.setCookie(name, value, options)
  }
  if (mark) writeBrowserCookie(config, mark)
  if (location === undefined) setStatus(status)
  else response.setStatus(status).setHeader('location', location)
  return body
}

function giveToken(
  config: ResolvedOutletConfig,
  { body, token, expiresAt, keepsToken }: AnswerPlan,
  source: WfTokenSource | undefined,
): unknown {
  const byCookie = config.token.write === 'cookie'
  if (token === undefined) {
    if (!keepsToken && (byCookie || source === 'cookie')) clearTokenCookie(config)
    return body
  }
  if (byCookie) {
    writeTokenCookie(config, token, expiresAt)
    return body
  }
  const given = isRecord(body) ? body : { response: body }
  // No spread: before Node 22 a new key behind one makes a new hidden class for every answer.
  return Object.assign({}, given, { [config.token.name]: token })
}
