import { WfError } from '../errors'

const MIN_STATUS = 200
const MAX_STATUS = 599
// RFC 6265 takes the token of RFC 2616.
const COOKIE_NAME = /^[\w!#$%&'*+\-.^`|~]+$/u

export function isCookieName(name: string): boolean {
  return COOKIE_NAME.test(name)
}

/**
 * Checks an answer before the workflow moves on because of it.
 *
 * @throws WfError `WF_CONFIG` for a status that is none, a cookie that cannot be written or a body
 * that is no JSON
 */
export function assertSendable(answer: {
  readonly body: unknown
  readonly status?: number
  readonly cookies?: Readonly<Record<string, unknown>>
}): void {
  const { body, status = MIN_STATUS, cookies = {} } = answer
  if (!Number.isInteger(status) || status < MIN_STATUS || status > MAX_STATUS) {
    throw new WfError('WF_CONFIG', `${status} is not the status of an answer.`)
  }
  const wrongName = Object.keys(cookies).find(name => !isCookieName(name))
  if (wrongName !== undefined) {
    throw new WfError('WF_CONFIG', `"${wrongName}" cannot be the name of a cookie.`)
  }
  try {
    JSON.stringify(body)
  } catch (cause) {
    throw new WfError('WF_CONFIG', 'The answer of a workflow is not JSON.', { cause })
  }
}
