const PAGE_BITS = 8
const PAGE_SIZE = 1 << PAGE_BITS
const BEYOND_BMP = 0x1_0000

const UNKNOWN = 0
const YES = 1
const NO = 2

/**
 * Tells whether one character is one that an atom of a pattern stands for: a letter, `.`, `\s`,
 * `[^a-z]`, `\p{L}`. The native RegExp says so, which makes case, Unicode and classes mean what they
 * mean there; each character is asked about once.
 */
export class CharTest {
  readonly #regexp: RegExp
  readonly #pages: Uint8Array[] = []

  constructor(atom: string, flags: string) {
    this.#regexp = new RegExp(`^(?:${atom})$`, flags)
  }

  matches(code: number): boolean {
    if (code >= BEYOND_BMP) return this.#ask(code)
    const page = (this.#pages[code >> PAGE_BITS] ??= new Uint8Array(PAGE_SIZE))
    const slot = code & (PAGE_SIZE - 1)
    const known = page[slot]
    if (known !== UNKNOWN) return known === YES
    const verdict = this.#ask(code)
    page[slot] = verdict ? YES : NO
    return verdict
  }

  #ask(code: number): boolean {
    return this.#regexp.test(String.fromCodePoint(code))
  }
}

const tests = new Map<string, CharTest>()

/** The test of an atom. Patterns repeat the same few, so they are kept. */
export function charTest(atom: string, flags: string): CharTest {
  const key = `${flags}/${atom}`
  const made = tests.get(key)
  if (made) return made
  const test = new CharTest(atom, flags)
  tests.set(key, test)
  return test
}
