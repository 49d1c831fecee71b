import { validateHeaderName, validateHeaderValue } from 'node:http'
import { useResponse } from '@wooksjs/event-http'
import { WfError } from '../../errors'

const MIN_STATUS = 200
const MAX_STATUS = 599
// RFC 6265 takes the token of RFC 2616.
const COOKIE_NAME = /^[\w!#$%&'*+\-.^`|~]+$/u

export function isCookieName(name: string): boolean {
  return COOKIE_NAME.test(name)
}

/** An answer, as far as it can make sending fail. */
interface Answer {
  readonly body: unknown
  readonly status?: number
  readonly cookies?: Readonly<Record<string, { readonly value: string }>>
}

/**
 * Checks an answer before the workflow moves on because of it, with what the steps have set.
 *
 * @throws WfError `WF_CONFIG`
 */
export function assertSendable({ body, status = MIN_STATUS, cookies = {} }: Answer): void {
  const response = useResponse()
  assertStatus(status)
  if (response.status) assertStatus(response.status)
  try {
    JSON.stringify(body)
    for (const [name, value] of Object.entries(response.headers())) assertHeader(name, value)
    for (const [name, { value }] of Object.entries(cookies)) {
      if (!isCookieName(name)) throw new TypeError(`"${name}" cannot be the name of a cookie.`)
      encodeURIComponent(value)
    }
  } catch (cause) {
    throw new WfError('WF_CONFIG', 'The answer of a workflow cannot be sent.', { cause })
  }
}

function assertHeader(name: string, value: string | string[]): void {
  validateHeaderName(name)
  if (!Array.isArray(value)) validateHeaderValue(name, value)
  else for (const line of value) validateHeaderValue(name, line)
}

function assertStatus(status: number): void {
  if (!Number.isInteger(status) || status < MIN_STATUS || status > MAX_STATUS) {
    throw new WfError('WF_CONFIG', `${status} is not the status of an answer.`)
  }
}
