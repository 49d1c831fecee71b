import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** A file as one of the encodings that browsers take. */
export type Encoding = 'br' | 'gzip'

/** The smallest first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip']
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** What a file is in each encoding that makes it smaller. */
export function compress(content: Buffer): ReadonlyMap<Encoding, Buffer> {
  const all: [Encoding, Buffer][] = [
    ['br', brotliCompressSync(content, BROTLI)],
    ['gzip', gzipSync(content, { level: 9 })],
  ]
  return new Map(all.filter(([, { length }]) => length < content.length))
}

/** The first of ours that an `Accept-Encoding` takes (RFC 9110, 12.5.3); `undefined`: as it is. */
export function chooseEncoding(
  accepted: string | undefined,
  has: (encoding: Encoding) => boolean,
): Encoding | undefined {
  const taken = new Map(
    (accepted ?? '').split(',').map(part => {
      const [name = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase())
      const weight = parameters.find(text => text.startsWith('q='))?.slice(2) ?? '1'
      return [name, Number(weight) > 0]
    }),
  )
  const takesAll = taken.get('*') ?? false
  return ENCODINGS.find(encoding => has(encoding) && (taken.get(encoding) ?? takesAll))
}
