import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

type Inflate = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>

const INFLATE = new Map<string, Inflate>([
  ['gzip', promisify(gunzip) as Inflate],
  ['deflate', promisify(inflate) as Inflate],
  ['br', promisify(brotliDecompress) as Inflate],
])
const NONE = 'identity'
const MAX_LAYERS = 2

/**
 * Whether a `Content-Encoding` can be decoded under the limit for bodies. Wooks looks names up in a
 * plain object and takes `toString` for one, and then inflates the whole body at once.
 */
export function isSupportedEncoding(header: string | undefined): boolean {
  if (header === undefined) return true
  const layers = header.split(',').map(layer => layer.trim())
  return layers.length <= MAX_LAYERS && layers.every(layer => layer === NONE || INFLATE.has(layer))
}

/** Undoes the encodings of a header that {@link isSupportedEncoding}, the last one first. */
export function decodersOf(header: string | undefined): Inflate[] {
  if (header === undefined) return []
  const layers = header.split(',').map(layer => INFLATE.get(layer.trim()))
  return layers.filter(layer => layer !== undefined).toReversed()
}
