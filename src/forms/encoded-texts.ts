import type { EncodedFields } from '../run'

// As long as the path of a problem may be.
const MAX_NAME_LENGTH = 200
/** What a box says that nobody has ticked. */
const NOTHING = new Set(['', 'false'])

/** The texts of an HTML form by the paths of their fields. */
export class EncodedTexts {
  readonly #texts = new Map<string, readonly string[]>()
  /** All paths that lead to a text. */
  readonly #paths = new Set<string>()
  /** Those that lead to one that someone has typed. */
  readonly #filledIn = new Set<string>()

  constructor(fields: EncodedFields) {
    for (const [name, given] of Object.entries(fields)) {
      // The work grows with the square of a name's length: there is an entry for each dot.
      if (name.length > MAX_NAME_LENGTH) continue
      const texts = typeof given === 'string' ? [given] : given
      this.#texts.set(name, texts)
      const isFilledIn = texts.some(text => !NOTHING.has(text))
      for (const path of pathsTo(name)) {
        this.#paths.add(path)
        if (isFilledIn) this.#filledIn.add(path)
      }
    }
  }

  /** What was sent under a name, in its order. */
  at(path: string): readonly string[] {
    return this.#texts.get(path) ?? []
  }

  /** Whether anything was sent at a path or below it. */
  has(path: string): boolean {
    return this.#paths.has(path)
  }

  /** Whether anything was typed at a path or below it. */
  isFilledIn(path: string): boolean {
    return this.#filledIn.has(path)
  }
}

/** `a.b.c`, `a.b` and `a`. */
function pathsTo(name: string): string[] {
  const paths = [name]
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
    paths.push(name.slice(0, at))
  }
  return paths
}
