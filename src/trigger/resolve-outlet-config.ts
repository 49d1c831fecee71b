import { WfError } from '../errors'
import type { WfOutlet } from '../outlets'
import { normalizeId, systemClock } from '../state'
import { StrategyRegistry } from '../strategies'
import type { Envelope } from './envelope'
import type { WfOutletConfig, WfTokenCookieOptions, WfTokenSource } from './outlet-config'

const TOKEN_SOURCES: readonly WfTokenSource[] = ['body', 'query', 'cookie']
// RFC 6265 takes the token of RFC 2616.
const COOKIE_NAME = /^[\w!#$%&'*+\-.^`|~]+$/u
const DEFAULT_MAX_BODY_BYTES = 1024 * 1024

const resolved = new WeakMap<WfOutletConfig, Map<Envelope, ResolvedOutletConfig>>()

export type ResolvedOutletConfig = ReturnType<typeof resolve>

/**
 * Checks a configuration and fills in its defaults, once per object.
 *
 * @throws WfError `WF_CONFIG`
 */
export function resolveOutletConfig(
  config: WfOutletConfig,
  envelope: Envelope,
): ResolvedOutletConfig {
  const known = resolved.get(config)?.get(envelope)
  if (known) return known
  const fresh = resolve(config, envelope)
  const perEnvelope = resolved.get(config) ?? new Map<Envelope, ResolvedOutletConfig>()
  resolved.set(config, perEnvelope.set(envelope, fresh))
  return fresh
}

function resolve(config: WfOutletConfig, envelope: Envelope) {
  const { token = {}, maxLifetime, maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = config
  assertPositive('maxLifetime', maxLifetime)
  assertPositive('maxBodyBytes', maxBodyBytes)
  const publicUrl = config.publicUrl === undefined ? undefined : parseUrl(config.publicUrl)
  const name = token.name ?? 'wfs'
  return Object.freeze({
    allows: allowance(config),
    registry: new StrategyRegistry(config.state),
    outlets: resolveOutlets(config.outlets ?? [], envelope),
    token: { name, read: resolveSources(token.read), write: resolveWrite(token.write) },
    cookie: resolveCookie(token.cookie ?? {}, name, publicUrl),
    wfidName: config.wfidName ?? 'wfid',
    origins: resolveOrigins(config.origins ?? [], publicUrl),
    maxBodyBytes,
    initialContext: config.initialContext ?? (() => ({})),
    onFinished: config.onFinished,
    onReject: config.onReject,
    maxLifetime,
    clock: config.clock ?? systemClock,
    envelope,
  })
}

function allowance({ allow, block = [] }: WfOutletConfig): (wfid: string) => boolean {
  const allowed = allow && new Set(allow.map(normalizeId))
  const blocked = new Set(block.map(normalizeId))
  return wfid => !blocked.has(normalizeId(wfid)) && (allowed?.has(normalizeId(wfid)) ?? true)
}

function resolveOutlets(outlets: readonly WfOutlet[], { httpOutlet }: Envelope) {
  const byName = new Map<string, WfOutlet>()
  for (const outlet of outlets) {
    if (typeof outlet?.name !== 'string' || typeof outlet.deliver !== 'function') {
      throw new WfError('WF_CONFIG', 'An outlet has a name and a deliver().')
    }
    if (byName.has(outlet.name)) {
      throw new WfError('WF_CONFIG', `There are two outlets with the name "${outlet.name}".`)
    }
    byName.set(outlet.name, outlet)
  }
  return byName.has(httpOutlet.name) ? byName : byName.set(httpOutlet.name, httpOutlet)
}

function resolveSources(read: readonly WfTokenSource[] = TOKEN_SOURCES): readonly WfTokenSource[] {
  if (read.length === 0 || !read.every(source => TOKEN_SOURCES.includes(source))) {
    throw new WfError('WF_CONFIG', `token.read is a list of ${TOKEN_SOURCES.join(', ')}.`)
  }
  return [...read]
}

function resolveWrite(write: 'body' | 'cookie' = 'body') {
  if (write !== 'body' && write !== 'cookie') {
    throw new WfError('WF_CONFIG', "token.write is 'body' or 'cookie'.")
  }
  return write
}

function resolveCookie(cookie: WfTokenCookieOptions, tokenName: string, publicUrl?: URL) {
  const { name = tokenName, path = '/', domain, sameSite = 'Lax' } = cookie
  if (sameSite !== 'Lax' && sameSite !== 'Strict') {
    throw new WfError('WF_CONFIG', "token.cookie.sameSite is 'Lax' or 'Strict'.")
  }
  if (!COOKIE_NAME.test(name)) {
    throw new WfError('WF_CONFIG', `"${name}" cannot be the name of a cookie.`)
  }
  const secure = cookie.secure ?? (publicUrl?.protocol === 'https:' ? true : undefined)
  return { name, path, domain, sameSite, secure }
}

function resolveOrigins(origins: readonly string[], publicUrl?: URL): ReadonlySet<string> {
  const all = origins.map(origin => (origin === 'null' ? origin : parseUrl(origin).origin))
  return new Set(publicUrl ? [...all, publicUrl.origin] : all)
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text) || new URL(text).origin === 'null') {
    throw new WfError('WF_CONFIG', `"${text}" is not an address such as https://app.example.com.`)
  }
  return new URL(text)
}

function assertPositive(name: string, value: number | undefined): void {
  if (value !== undefined && !(Number.isFinite(value) && value > 0)) {
    throw new WfError('WF_CONFIG', `${name} is a positive number.`)
  }
}
