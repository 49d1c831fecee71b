import { type HttpResponse, useResponse } from '@wooksjs/event-http'
import { WfError } from '../../errors'

/** Wooks tells a cookie by its name only; this is about all of them. */
interface OutgoingCookies {
  readonly _cookies: Readonly<Record<string, unknown>>
  readonly _rawCookies: readonly string[]
}

/**
 * All cookies that an answer will set.
 *
 * @throws WfError `WF_CONFIG` when they cannot be known, rather than to take them for none
 */
export function outgoingCookies(response: HttpResponse): OutgoingCookies {
  const { _cookies, _rawCookies } = response as unknown as Partial<OutgoingCookies>
  if (_cookies && _rawCookies) return { _cookies, _rawCookies }
  throw new WfError('WF_CONFIG', 'This version of wooks hides the cookies of an answer.')
}

/** Whether the answer sets any cookie but these. */
export function setsCookiesBeside(names: readonly string[]): boolean {
  const response = useResponse()
  const { _cookies, _rawCookies } = outgoingCookies(response)
  const named = Object.keys(_cookies).some(other => !names.includes(other) && _cookies[other])
  return named || _rawCookies.length > 0 || response.getHeader('set-cookie') !== undefined
}
