import { createHash, randomBytes } from 'node:crypto'
import { useCookies, useResponse } from '@wooksjs/event-http'
import type { WfFlowMeta } from '../state'
import type { ResolvedOutletConfig } from './resolve-outlet-config'
import { cookieAttributes } from './token-cookie'

const SECRET_BYTES = 32
const OURS = /^[\w-]{43}$/u

/** The cookie by which a browser is known again. */
export function browserCookieName({ cookie }: ResolvedOutletConfig): string {
  return `${cookie.name}-browser`
}

/** Marks the browser of this request, unless it has a mark. @returns what to remember of it */
export function markBrowser(config: ResolvedOutletConfig): string {
  const name = browserCookieName(config)
  const known = useCookies().getCookie(name) ?? ''
  const secret = OURS.test(known) ? known : randomBytes(SECRET_BYTES).toString('base64url')
  useResponse().setCookie(name, secret, {
    ...cookieAttributes(config),
    // Whatever the token's cookie is: a link in a mail comes from another site.
    sameSite: 'Lax',
    maxAge: '90d',
  })
  return hashOf(secret)
}

/** Whether a flow may go on in the browser of this request. */
export function isRightBrowser(
  config: ResolvedOutletConfig,
  flow: WfFlowMeta | undefined,
): boolean {
  if (flow?.browser === undefined) return true
  const secret = useCookies().getCookie(browserCookieName(config))
  return secret !== null && hashOf(secret) === flow.browser
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
