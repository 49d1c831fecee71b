import { type HttpResponse, useResponse } from '@wooksjs/event-http'
import { WfError } from '../../errors'
import type { WfOutletResult } from '../../outlets'
import { outgoingCookies } from './outgoing-cookies'

/**
 * The recipient's token must not reach the caller, not even by an outlet's mistake. Takes back what
 * has been prepared for the answer before it complains.
 *
 * @throws WfError `WF_CONFIG`
 */
export function assertTokenIsKept(token: string, outlet: string, result: WfOutletResult): void {
  assertReadable(result.response, outlet)
  const response = useResponse()
  const headers = headersWith(token, response)
  const inCookie = JSON.stringify(outgoingCookies(response)).includes(token)
  if (!JSON.stringify(result).includes(token) && headers.length === 0 && !inCookie) return
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

function headersWith(token: string, response: HttpResponse): string[] {
  const headers = Object.entries(response.headers())
  return headers.filter(([, value]) => String(value).includes(token)).map(([name]) => name)
}
