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
