/** What stands in the cells of rows: each text by itself, those within JSON as well. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [key, ...textsIn(part)])
}

/** What is shorter may stand in a hash by chance. */
const SHORTEST = 8

/** A text as it is, and as it is written by whoever would hide it from a search. */
export function writingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  // Three texts, because base64 depends on how many bytes stand before.
  const within = [0, 1, 2].flatMap(before => {
    const shifted = Buffer.concat([Buffer.alloc(before, 'x'), bytes])
    // The first and the last characters are shared with what stands beside it.
    const cut = (text: string) =>
      text.slice(before === 0 ? 0 : 4, Math.floor(shifted.length / 3) * 4)
    return [cut(shifted.toString('base64')), cut(shifted.toString('base64url'))]
  })
  const written = [secret, encodeURIComponent(secret), hex, hex.toUpperCase()]
  const reversed = [...secret].toReversed().join('')
  return [...written, ...within, reversed].filter(({ length }) => length >= SHORTEST)
}
