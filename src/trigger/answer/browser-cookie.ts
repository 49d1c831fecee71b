import { createHash, randomBytes } from 'node:crypto'
import { useCookies, useResponse } from '@wooksjs/event-http'
import type { WfFlowMeta } from '../../state'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { cookieAttributes } from './token-cookie'

const SECRET_BYTES = 32
const OURS = /^[\w-]{43}$/u

/** A browser that is known again: what its cookie holds, and what a state remembers of that. */
export interface BrowserMark {
  readonly secret: string
  readonly hash: string
}

/**
 * The cookie by which a browser is known again. Where it can, its name keeps sibling hosts from
 * setting it: whoever could give a browser their own mark could open its links.
 */
export function browserCookieName(config: ResolvedOutletConfig): string {
  const { secure, path, domain } = browserCookieAttributes(config)
  const isOwn = secure && path === '/' && domain === undefined
  return `${isOwn ? '__Host-' : ''}${config.cookie.name}-browser`
}

/** The mark of the browser that this request comes from: the one it has, or a new one. */
export function browserMark(config: ResolvedOutletConfig): BrowserMark {
  const known = useCookies().getCookie(browserCookieName(config)) ?? ''
  const secret = OURS.test(known) ? known : randomBytes(SECRET_BYTES).toString('base64url')
  return { secret, hash: hashOf(secret) }
}

export function writeBrowserCookie(config: ResolvedOutletConfig, { secret }: BrowserMark): void {
  const attributes = browserCookieAttributes(config)
  useResponse().setCookie(browserCookieName(config), secret, { ...attributes, maxAge: '90d' })
}

/** Whether a flow may go on in the browser of this request. */
export function isRightBrowser(
  config: ResolvedOutletConfig,
  flow: Pick<WfFlowMeta, 'browser'> | undefined,
): boolean {
  return flow?.browser === undefined || isMarked(config, flow.browser)
}

/**
 * Whether this request comes from the browser that the flow's present form was shown to. If the flow is
 * bound to a browser, it is that one: no other has got so far.
 */
export function isHolder(config: ResolvedOutletConfig, flow: WfFlowMeta): boolean {
  return flow.holder !== undefined && isMarked(config, flow.holder)
}

function isMarked(config: ResolvedOutletConfig, hash: string): boolean {
  const secret = useCookies().getCookie(browserCookieName(config))
  return secret !== null && hashOf(secret) === hash
}

function browserCookieAttributes(config: ResolvedOutletConfig) {
  // Whatever the token's cookie is: a link in a mail comes from another site.
  return { domain: undefined, ...cookieAttributes(config), sameSite: 'Lax' as const }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
