import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { bodyOf, type Pair } from './message'
import type { Mutation } from './mutate-value'

const FORM_ENDS = ['', '&%', '&a=%00', '&%ff=%fe', '&=&&', '&__proto__=1', '&a=%ED%A0%80']

/** The same fields as a form sends them. */
export const asForm: Mutation = (sent, random) => {
  const { json } = sent
  if (typeof json !== 'object' || json === null) return
  const { input, ...fields } = json as Record<string, unknown>
  const flat = { ...fields, ...(typeof input === 'object' ? input : { input }) }
  const pairs: Pair[] = Object.entries(flat).map(([name, value]) => [name, textOf(value)])
  if (random.chance(0.5)) pairs.push(['confirm', '1'])
  if (random.chance(0.1)) for (let index = 0; index < 1001; index++) pairs.push(['x', `${index}`])
  const text = new URLSearchParams(pairs).toString()
  sent.bytes = Buffer.from(`${text}${random.pick(FORM_ENDS)}`)
  sent.headers.push(['content-type', 'application/x-www-form-urlencoded'])
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : String(JSON.stringify(value))

const INVALID_UTF8 = ['ff', 'c080', 'eda080', 'f5808080', 'e282', '00', 'efbbbf'].map(hex =>
  Buffer.from(hex, 'hex'),
)
const OVER_LIMIT = 2 ** 20 + 1

export const damageBytes: Mutation = (sent, random) => {
  const bytes = bodyOf(sent)
  const at = random.below(bytes.length + 1)
  const changes: readonly (() => Buffer)[] = [
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), random.pick(INVALID_UTF8), bytes.subarray(at)]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([random.pick(INVALID_UTF8), bytes]),
    () => Buffer.from(bytes.toString(), 'utf16le'),
    () => Buffer.from(Array.from({ length: 200 }, () => random.below(256))),
    () => Buffer.alloc(OVER_LIMIT, ' '),
  ]
  sent.bytes = random.pick(changes)()
}

const PACKERS: readonly (readonly [name: string, pack: (bytes: Buffer) => Buffer])[] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', bytes => brotliCompressSync(bytes)],
  ['identity', bytes => bytes],
]
const BOMB = gzipSync(Buffer.alloc(20 * 2 ** 20))
const NO_ENCODINGS = ['toString', '__proto__', 'zstd', '', ',', 'GZIP', 'gzip;q=1']

export const compress: Mutation = (sent, random) => {
  const bytes = bodyOf(sent)
  const [name, pack] = random.pick(PACKERS)
  const packed = pack(bytes)
  const [label, body] = random.pick<readonly [label: string, body: Buffer]>([
    [name, packed],
    [name, packed.subarray(0, packed.length / 2)],
    [name, bytes],
    [`${name}, gzip`, gzipSync(packed)],
    [`${name}, gzip, gzip`, gzipSync(gzipSync(packed))],
    ['gzip', BOMB],
    [random.pick(NO_ENCODINGS), bytes],
  ])
  sent.bytes = body
  sent.headers.push(['content-encoding', label])
}

const TYPES = [
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;;;=',
  'APPLICATION/JSON',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/xml',
  '__proto__',
  'a'.repeat(4000),
]

export const contentType: Mutation = (sent, random) => {
  sent.headers.push(['content-type', random.pick(TYPES)])
}
