import { toJson } from './odd-values'

export type Pair = [name: string, value: string]

/** A request before it is written down, in parts that can be changed one by one. */
export interface Message {
  method: string
  path: string
  query: Pair[]
  /** A query parameter that is JSON. */
  filter?: unknown
  headers: Pair[]
  cookies: Pair[]
  /** The body, as a value. */
  json?: unknown
  /** The body as it is sent, in place of the value. */
  bytes?: Buffer
  /** How often it is sent at once. */
  times: number
  /** Sent as it is, over a connection that is then closed: nothing that a client library would send. */
  isTorn: boolean
}

export function message(method: string, path: string, parts: Partial<Message> = {}): Message {
  const base = { method, path, query: [], headers: [], cookies: [], times: 1, isTorn: false }
  return { ...base, ...parts }
}

/** A request as it goes over the wire. */
export interface WrittenRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly Pair[]
  readonly body: Buffer
}

export function write(sent: Message): WrittenRequest {
  const body = bodyOf(sent)
  const cookie = sent.cookies.map(([name, value]) => `${name}=${value}`).join('; ')
  const headers: Pair[] = [...sent.headers]
  if (cookie) headers.push(['cookie', latin(cookie)])
  if (sent.json !== undefined && !has(headers, 'content-type')) {
    headers.push(['content-type', 'application/json'])
  }
  if (body.length > 0) headers.push(['content-length', String(body.length)])
  return { method: sent.method, target: targetOf(sent), headers, body }
}

/** Its first line and its headers. */
export function head({ method, target, headers }: WrittenRequest): string {
  return [`${method} ${target}`, ...headers.map(pair => pair.join(': '))].join('\n')
}

export function bodyOf({ bytes, json }: Message): Buffer {
  return bytes ?? Buffer.from(json === undefined ? '' : toJson(json))
}

export const has = (headers: readonly Pair[], wanted: string): boolean =>
  headers.some(([name]) => name.toLowerCase() === wanted)

function targetOf({ path, query, filter }: Message): string {
  const json: Pair[] = filter === undefined ? [] : [['filter', toJson(filter).slice(0, 12_000)]]
  const parts = [...json, ...query].map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return [path, ...(parts.length > 0 ? [parts.join('&')] : [])].join('?')
}

/** Unlike `encodeURIComponent` this takes lone surrogates, and leaves alone what is encoded. */
export function encode(text: string): string {
  if (text.startsWith(ENCODED)) return text.slice(ENCODED.length)
  return [...Buffer.from(text)]
    .map(byte =>
      /[\w.~-]/u.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : hex(byte),
    )
    .join('')
}

/** Marks a text that goes into the address as it is. */
export const ENCODED = '\u0001'

const hex = (byte: number) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`

/** Headers hold bytes, of which some are not allowed. */
export const latin = (text: string): string =>
  Buffer.from(text.slice(0, 4000))
    .toString('latin1')
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/gu, '?')
