import { WfError } from '../errors'
import { resolveRunConfig, type RunConfig } from '../run'
import { isRecord, normalizeId } from '../state'
import type { Envelope } from './answer/envelope'
import { CODE, FRESH, RESERVED_FIELDS, SEND_CODE, WATCH } from './read/read-request'
import { isCookieName } from './answer/sendable'
import type { WfOutletConfig, WfTokenCookieOptions, WfTokenSource } from './outlet-config'
import { resolveWatchEvents } from './watch/watch-events'
import { resolveKey } from './read/start-key'
import { WatchStreams } from './watch/watch-streams'

const TOKEN_SOURCES: readonly WfTokenSource[] = ['body', 'query', 'cookie']
const DEFAULT_MAX_BODY_BYTES = 1024 * 1024

const resolved = new WeakMap<WfOutletConfig, Map<Envelope, ResolvedOutletConfig>>()

/** A configuration with every default filled in. */
export interface ResolvedOutletConfig extends RunConfig {
  readonly token: {
    readonly name: string
    readonly read: readonly WfTokenSource[]
    readonly write: 'body' | 'cookie'
  }
  readonly cookie: {
    readonly name: string
    readonly path: string
    readonly domain: string | undefined
    readonly sameSite: 'Lax' | 'Strict'
    /** `undefined`: as the request came. */
    readonly secure: boolean | undefined
  }
  readonly wfidName: string
  readonly page: {
    readonly confirm: NonNullable<WfOutletConfig['confirmPage']>
    /** Without it, no pages are given. */
    readonly isOffered: boolean
    /** Whether a form is shown by a page of ours that comes by a link. */
    readonly showsForms: boolean
    /** Where else a form can be shown, if it can. */
    resumeUrl(wfid: string): string | undefined
  }
  readonly origins: ReadonlySet<string>
  /** The workflows whose first form may be seen. */
  readonly described: ReadonlySet<string>
  /** Without them, nobody is told by events. */
  readonly watchStreams: WatchStreams | undefined
  readonly maxBodyBytes: number
  readonly initialContext: NonNullable<WfOutletConfig['initialContext']>
  readonly actor: NonNullable<WfOutletConfig['actor']>
  readonly facts: WfOutletConfig['facts']
  /** The key of a new flow, if there are such. */
  readonly keyOf: ReturnType<typeof resolveKey>
  readonly onReject: WfOutletConfig['onReject']
  readonly envelope: Envelope
}

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

function resolve(config: WfOutletConfig, envelope: Envelope): ResolvedOutletConfig {
  const { token = {}, maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = config
  assertHooks(config)
  if (!(Number.isFinite(maxBodyBytes) && maxBodyBytes > 0)) {
    throw new WfError('WF_CONFIG', 'maxBodyBytes is a positive number.')
  }
  const publicUrl = config.publicUrl === undefined ? undefined : parseUrl(config.publicUrl)
  const { name = 'wfs' } = token
  const { wfidName = 'wfid' } = config
  assertFieldNames(name, wfidName)
  const write = resolveWrite(token.write)
  const read = resolveSources(token.read ?? sourcesFor(write))
  if (write === 'cookie' && !read.includes('cookie')) {
    throw new WfError('WF_CONFIG', "token.write is 'cookie', but token.read does not have it.")
  }
  const watchEvents = resolveWatchEvents(config.watchEvents, config.ledger !== undefined)
  return Object.freeze({
    ...resolveRunConfig(config, envelope.httpOutlet),
    token: { name, read, write },
    cookie: resolveCookie(token.cookie ?? {}, name, publicUrl),
    wfidName,
    page: resolvePage(config),
    origins: resolveOrigins(config.origins ?? [], publicUrl),
    described: resolveDescribed(config.describe ?? []),
    watchStreams: watchEvents && new WatchStreams(watchEvents),
    maxBodyBytes,
    initialContext: config.initialContext ?? (() => ({})),
    actor: config.actor ?? (() => undefined),
    facts: config.facts,
    keyOf: resolveKey(config),
    onReject: config.onReject,
    envelope,
  })
}

/** A cookie that we have not written is not ours: a sibling host may have. */
function sourcesFor(write: 'body' | 'cookie'): readonly WfTokenSource[] {
  return TOKEN_SOURCES.filter(source => source !== 'cookie' || write === 'cookie')
}

function resolveSources(read: readonly WfTokenSource[]): readonly WfTokenSource[] {
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
  for (const value of [path, domain ?? '']) {
    if (typeof value !== 'string' || /[;\p{Cc}]/u.test(value)) {
      throw new WfError('WF_CONFIG', 'The path and the domain of a cookie have no ; in them.')
    }
  }
  if (!isCookieName(name)) {
    throw new WfError('WF_CONFIG', `"${name}" cannot be the name of a cookie.`)
  }
  const secure = cookie.secure ?? (publicUrl?.protocol === 'https:' ? true : undefined)
  return { name, path, domain, sameSite, secure }
}

function resolveOrigins(origins: readonly string[], publicUrl?: URL): ReadonlySet<string> {
  const all = origins.map(origin => (origin === 'null' ? origin : parseUrl(origin).origin))
  return new Set(publicUrl ? [...all, publicUrl.origin] : all)
}

function resolveDescribed(wfids: readonly string[]): ReadonlySet<string> {
  if (!Array.isArray(wfids) || !wfids.every(wfid => typeof wfid === 'string')) {
    throw new WfError('WF_CONFIG', 'describe is a list of workflow ids.')
  }
  return new Set(wfids.map(normalizeId))
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text) || new URL(text).origin === 'null') {
    throw new WfError('WF_CONFIG', `"${text}" is not an address such as https://app.example.com.`)
  }
  return new URL(text)
}

function resolvePage({
  resumeUrl,
  confirmPage,
  formPage = true,
}: WfOutletConfig): ResolvedOutletConfig['page'] {
  const isUrl = (url: unknown): url is string =>
    typeof url === 'string' && URL.canParse(url, 'http://x')
  if (resumeUrl !== undefined && typeof resumeUrl !== 'function' && !isUrl(resumeUrl)) {
    throw new WfError(
      'WF_CONFIG',
      'resumeUrl is the address of a page, or a function that gives it.',
    )
  }
  if (confirmPage !== undefined && typeof confirmPage !== 'function' && !isRecord(confirmPage)) {
    throw new WfError('WF_CONFIG', 'confirmPage is a function, or texts and a colour.')
  }
  if (typeof formPage !== 'boolean') throw new WfError('WF_CONFIG', 'formPage is true or false.')
  if (!formPage && resumeUrl === undefined && confirmPage !== undefined) {
    throw new WfError('WF_CONFIG', 'Without a formPage there must be a resumeUrl to see forms at.')
  }
  return {
    confirm: confirmPage ?? {},
    isOffered: resumeUrl !== undefined || confirmPage !== undefined,
    showsForms: formPage,
    resumeUrl: wfid => (typeof resumeUrl === 'function' ? resumeUrl(wfid) : resumeUrl),
  }
}

function assertHooks(config: WfOutletConfig): void {
  for (const name of ['initialContext', 'actor', 'facts', 'runKey', 'onReject'] as const) {
    if (config[name] !== undefined && typeof config[name] !== 'function') {
      throw new WfError('WF_CONFIG', `${name} is a function.`)
    }
  }
}

/** Each field of a request has a name of its own. */
function assertFieldNames(...names: string[]): void {
  const all = [...names, ...RESERVED_FIELDS, WATCH, CODE, FRESH, SEND_CODE]
  const isText = all.every(name => typeof name === 'string' && name !== '')
  if (!isText || new Set(all).size < all.length) {
    throw new WfError(
      'WF_CONFIG',
      `The fields of a request need names of their own: ${all.join(', ')}.`,
    )
  }
}
