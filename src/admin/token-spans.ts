const UUID_TEXT = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'
const UUID = new RegExp(UUID_TEXT, 'giu')
const BARE_UUID = /[0-9a-f]{32}/giu
const BETWEEN_WORDS = /[\s"'`<>{}|\\^]+/u
/** What is not cut any further: a UUID, a run of letters and digits, a sign. */
const PARTS = new RegExp(`${UUID_TEXT}|[a-z0-9]+|(?:(?![a-z0-9])[\\p{L}\\p{N}])+|[\\s\\S]`, 'giu')
const LONGEST_HANDLE = 255

/**
 * All that could be a handle in some texts: whatever begins and ends at the border of a word, or at a
 * sign in it. Nobody knows what handles look like, because applications may make their own.
 */
export function* spansOf(texts: readonly string[]): Generator<string> {
  for (const word of new Set(texts.flatMap(text => text.split(BETWEEN_WORDS)))) {
    for (const [uuid] of word.matchAll(UUID)) yield uuid.toLowerCase()
    for (const [digits] of word.matchAll(BARE_UUID)) yield withDashes(digits.toLowerCase())
    yield* spansOfWord(word)
  }
}

function* spansOfWord(word: string): Generator<string> {
  const edges = [...Array.from(word.matchAll(PARTS), ({ index }) => index), word.length]
  for (const [at, start] of edges.entries()) {
    for (let to = at + 1; to < edges.length && edges[to]! - start <= LONGEST_HANDLE; to++) {
      yield word.slice(start, edges[to])
    }
  }
}

function withDashes(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')
}
