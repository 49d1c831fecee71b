import type { Server } from 'node:http'

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

/**
 * For the HTML of a mail, in a frame of our own page: no script, no form, nothing from elsewhere. It keeps its
 * origin, which does nothing without a script, so that the page around it can read how tall it is.
 */
export const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
].join('; ')

const HEADERS = new Map([
  ['content-security-policy', CONTENT_SECURITY_POLICY],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['permissions-policy', 'camera=(), geolocation=(), microphone=()'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  // What may be kept says so itself.
  ['cache-control', 'no-store'],
])

/** Puts the headers on every answer, also on errors that no handler has seen. */
export function addSecurityHeaders(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeaders(HEADERS))
}
