const SUPPORTED = new Set(['gzip', 'deflate', 'br', 'identity'])
const MAX_LAYERS = 2

/**
 * Whether a `Content-Encoding` can be decoded piece by piece, under the limit for bodies. Wooks looks
 * names up in a plain object and takes `toString` for one, and then inflates the whole body at once.
 */
export function isSupportedEncoding(header: string | undefined): boolean {
  if (header === undefined) return true
  const layers = header.split(',').map(layer => layer.trim())
  return layers.length <= MAX_LAYERS && layers.every(layer => SUPPORTED.has(layer))
}
