/** The segments of a token in the compact form; the one for an encrypted key is empty with `dir`. */
export interface CompactJwe {
  readonly header: string
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

const IV_LENGTH = 16
const TAG_LENGTH = 22

/**
 * Cuts a token into its segments if it has the one shape that ours have: five segments, no encrypted
 * key, an iv and a tag of their lengths. Whoever decodes a segment has to see that it is canonical.
 */
export function cutCompact(token: string): CompactJwe | null {
  const first = token.indexOf('.')
  // An encrypted key would stand between the first two dots.
  if (first < 0 || token[first + 1] !== '.') return null
  const ivEnd = first + 2 + IV_LENGTH
  const tagStart = token.length - TAG_LENGTH
  if (token[ivEnd] !== '.' || token[tagStart - 1] !== '.' || tagStart <= ivEnd + 2) return null
  return {
    header: token.slice(0, first),
    iv: token.slice(first + 2, ivEnd),
    ciphertext: token.slice(ivEnd + 1, tagStart - 1),
    tag: token.slice(tagStart),
  }
}

/** Whether each segment has letters of the one alphabet only, and no unused bit set. */
export function isCanonical({ iv, ciphertext, tag }: CompactJwe): boolean {
  return [iv, ciphertext, tag].every(segment => hasCanonicalEnd(segment) && !FOREIGN.test(segment))
}

// Decoders skip what they do not know, take a second alphabet for the same, and cut characters down
// to eight bits: each would give one token several spellings.
const FOREIGN = /[^\w-]/u

// A last group of two or three characters has unused bits, which decoders ignore: with them set, one
// token would have several spellings.
const ENDS: readonly (RegExp | null)[] = [/[\w-]$/u, null, /[AQgw]$/u, /[AEIMQUYcgkosw048]$/u]

function hasCanonicalEnd(segment: string): boolean {
  return ENDS[segment.length % 4]?.test(segment.slice(-1)) ?? false
}
