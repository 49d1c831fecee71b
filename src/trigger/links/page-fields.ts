import { randomUUID } from 'node:crypto'
import { CONFIRM, REQUEST_ID, type TriggerRequest } from '../read/read-request'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'

/** The token of a request, to be posted again. One in a cookie must not stand on a page. */
export function tokenField(
  { token }: ResolvedOutletConfig,
  request: TriggerRequest | undefined,
): Readonly<Record<string, string>> {
  const text = request?.token?.text
  return typeof text === 'string' && request?.source !== 'cookie' ? { [token.name]: text } : {}
}

/** What a button of ours posts beside what it is for. A double click on it is one request. */
export function fromPage(): Readonly<Record<string, string>> {
  return { [CONFIRM]: '1', [REQUEST_ID]: randomUUID() }
}
