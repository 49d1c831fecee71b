import { useHeaders, useResponse } from '@wooksjs/event-http'
import type { BrowserMark } from '../../run'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { cookieAttributes } from './token-cookie'

/**
 * The cookie by which a browser is known again. Where it can, its name keeps sibling hosts from
 * setting it: whoever could give a browser their own mark could open its links.
 */
export function browserCookieName(config: ResolvedOutletConfig): string {
  const attributes = cookieAttributes(config)
  const isOwn = attributes.secure && attributes.path === '/' && !('domain' in attributes)
  return `${isOwn ? '__Host-' : ''}${config.cookie.name}-browser`
}

/**
 * What the browser of this request is known by, if it has shown anything. Wooks would take the name in
 * any case, and browsers guard the prefix in one.
 */
export function readBrowserCookie(config: ResolvedOutletConfig): string | undefined {
  const { cookie } = useHeaders()
  if (cookie === undefined) return undefined
  const start = `${browserCookieName(config)}=`
  const cookies = cookie.split(';').map(each => each.trim())
  return cookies.find(each => each.startsWith(start))?.slice(start.length)
}

export function writeBrowserCookie(config: ResolvedOutletConfig, { secret }: BrowserMark): void {
  useResponse().setCookie(browserCookieName(config), secret, {
    ...cookieAttributes(config),
    // Whatever the token's cookie is: a link in a mail comes from another site.
    sameSite: 'Lax',
    maxAge: '90d',
  })
}
