import { type HttpResponse, useResponse } from '@wooksjs/event-http'
import { WfError } from '../../errors'
import type { WfOutletResult } from '../../outlets'
import { outgoingCookies } from './outgoing-cookies'

/**
 * The recipient's token, and the code that does the same, must not reach the caller, not even by an
 * outlet's mistake. Takes back what has been prepared for the answer before it complains.
 *
 * @throws WfError `WF_CONFIG`
 */
export function assertTokenIsKept(
  secrets: readonly string[],
  outlet: string,
  result: WfOutletResult,
): void {
  assertReadable(result.response, outlet)
  const response = useResponse()
  const hasSecret = (text: string) => secrets.some(secret => text.includes(secret))
  const headers = headersWith(hasSecret, response)
  const inCookie = hasSecret(JSON.stringify(outgoingCookies(response)))
  if (!hasSecret(JSON.stringify(result)) && headers.length === 0 && !inCookie) return
  for (const name of headers) response.removeHeader(name)
  if (inCookie) response.clearCookies()
  throw new WfError('WF_CONFIG', `The outlet "${outlet}" shows the caller a token of someone else.`)
}

/** Bytes and streams cannot be searched for the token. */
function assertReadable(body: unknown, outlet: string): void {
  const isPlain = typeof body !== 'object' || Array.isArray(body) || isPlainObject(body)
  if (!isPlain) {
    throw new WfError('WF_CONFIG', `The outlet "${outlet}" must answer the caller with plain JSON.`)
  }
}

function isPlainObject(body: object | null): boolean {
  const prototype: unknown = body && Object.getPrototypeOf(body)
  return prototype === null || prototype === Object.prototype
}

function headersWith(hasSecret: (text: string) => boolean, response: HttpResponse): string[] {
  const headers = Object.entries(response.headers())
  return headers.filter(([, value]) => hasSecret(String(value))).map(([name]) => name)
}
