import { useResponse } from '@wooksjs/event-http'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import type { Page, WfPageTheme } from './page'

export function sendPage({ html, csp }: Page): string {
  useResponse()
    .setHeader('content-security-policy', csp)
    .setContentType('text/html; charset=utf-8')
    .setHeader('x-content-type-options', 'nosniff')
    .setHeader('x-robots-tag', 'noindex')
  return html
}

/** Where the form of a page may lead to: browsers look at redirects too. */
export function leadsTo({ page }: ResolvedOutletConfig, wfid: string | undefined): string {
  const url = wfid === undefined ? undefined : page.resumeUrl(wfid)
  return url !== undefined && URL.canParse(url) ? `'self' ${new URL(url).origin}` : `'self'`
}

/** How our pages look. Where the application has a page of its own for the first one, as ever. */
export function themeOf({ page }: ResolvedOutletConfig): WfPageTheme {
  return typeof page.confirm === 'function' ? {} : page.confirm
}

/** A page of the application, with the token where no server sees it. */
export function withToken({ token }: ResolvedOutletConfig, address: string, next: unknown): string {
  return typeof next === 'string' ? `${address}#${token.name}=${encodeURIComponent(next)}` : address
}
