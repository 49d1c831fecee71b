import { useRequest, useResponse } from '@wooksjs/event-http'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'

/** Gives the caller the token in a cookie that lives as long as the state. */
export function writeTokenCookie(
  config: ResolvedOutletConfig,
  token: string,
  expiresAt: number | undefined,
): void {
  useResponse().setCookie(config.cookie.name, token, {
    ...cookieAttributes(config),
    ...(expiresAt !== undefined && { maxAge: secondsUntil(expiresAt, config.clock.now()) }),
  })
}

export function clearTokenCookie(config: ResolvedOutletConfig): void {
  useResponse().setCookie(config.cookie.name, '', { ...cookieAttributes(config), maxAge: '0s' })
}

// With its unit: Wooks documents a bare number as seconds, and takes it for milliseconds.
function secondsUntil(expiresAt: number, now: number): `${number}s` {
  return `${Math.max(0, Math.ceil((expiresAt - now) / 1000))}s`
}

export function cookieAttributes({
  cookie: { path, domain, sameSite, secure },
}: ResolvedOutletConfig) {
  return {
    httpOnly: true,
    path,
    sameSite,
    secure: secure ?? cameOverTls(),
    ...(domain !== undefined && { domain }),
  }
}

function cameOverTls(): boolean {
  return Boolean((useRequest().raw.socket as { encrypted?: boolean }).encrypted)
}
