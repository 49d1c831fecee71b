import { useCookies, useResponse } from '@wooksjs/event-http'
import type { BrowserMark } from '../../run'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { cookieAttributes } from './token-cookie'

/**
 * The cookie by which a browser is known again. Where it can, its name keeps sibling hosts from
 * setting it: whoever could give a browser their own mark could open its links.
 */
export function browserCookieName(config: ResolvedOutletConfig): string {
  const { secure, path, domain } = browserCookieAttributes(config)
  const isOwn = secure && path === '/' && domain === undefined
  return `${isOwn ? '__Host-' : ''}${config.cookie.name}-browser`
}

/** What the browser of this request is known by, if it has shown anything. */
export function readBrowserCookie(config: ResolvedOutletConfig): string | undefined {
  return useCookies().getCookie(browserCookieName(config)) ?? undefined
}

export function writeBrowserCookie(config: ResolvedOutletConfig, { secret }: BrowserMark): void {
  const attributes = browserCookieAttributes(config)
  useResponse().setCookie(browserCookieName(config), secret, { ...attributes, maxAge: '90d' })
}

function browserCookieAttributes(config: ResolvedOutletConfig) {
  // Whatever the token's cookie is: a link in a mail comes from another site.
  return { domain: undefined, ...cookieAttributes(config), sameSite: 'Lax' as const }
}
