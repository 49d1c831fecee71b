import { type CharTest, charTest } from './char-test'
import { PatternProblem } from './pattern-problem'

/** Where a pattern asks about its place in the text, not about a character. */
export type Edge = 'start' | 'end' | 'word' | 'no-word'

/** A pattern, taken apart. Greedy or lazy makes no difference to whether a text matches. */
export type PatternNode =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | {
      readonly kind: 'repeat'
      readonly part: PatternNode
      readonly least: number
      readonly most: number
    }

const EDGES: ReadonlyMap<string, Edge> = new Map([
  ['^', 'start'],
  ['$', 'end'],
  ['\\b', 'word'],
  ['\\B', 'no-word'],
])

const REPEAT = /(?:[*+?]|\{(\d+)(,)?(\d*)\})\??/y
const LOOKAROUND = /\(\?<?[=!]/y
const GROUP = /\((?:\?:|\?<[^>]*>)?/y
const CLASS = /\[(?:\\[^]|[^\\\]])*\]/y
const BACK_REFERENCE = /\\(?:k|[1-9]|0\d)/y
const ESCAPE = /\\(?:u[\dA-F]{4}|x[\dA-F]{2}|c[A-Z]|[^])/iy
// With the flag u, two escapes may stand for one character.
const UNICODE_ESCAPE =
  /\\(?:u\{[^}]*\}|u(?:D[89AB]..\\uD[C-F]..|[\dA-F]{4})|x[\dA-F]{2}|c[A-Z]|p\{[^}]*\}|[^])/iuy
const CHARACTER = /[^]/y
const UNICODE_CHARACTER = /[^]/uy

/**
 * Takes a pattern apart that the native RegExp has accepted.
 *
 * @throws PatternProblem for what cannot be run in linear time
 */
export function readPattern(source: string, flags: string): PatternNode {
  return new PatternReader(source, flags).readAll()
}

class PatternReader {
  readonly #source: string
  readonly #atomFlags: string
  readonly #isUnicode: boolean
  #at = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#atomFlags = flags.replaceAll(/[^isu]/gu, '')
    this.#isUnicode = flags.includes('u')
  }

  /** Up to the end, or to the bracket that closes the group which is being read. */
  readAll(): PatternNode {
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = []
    while (this.#at < this.#source.length && !this.#isNext('|') && !this.#isNext(')')) {
      parts.push(this.#repeated(this.#part()))
    }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
  }

  #repeated(part: PatternNode): PatternNode {
    const match = this.#match(REPEAT)
    if (!match) return part
    const [text, count, comma, upTo] = match
    if (count === undefined) {
      const least = text.startsWith('+') ? 1 : 0
      return { kind: 'repeat', part, least, most: text.startsWith('?') ? 1 : Infinity }
    }
    const most = upTo ? Number(upTo) : comma ? Infinity : Number(count)
    return { kind: 'repeat', part, least: Number(count), most }
  }

  #part(): PatternNode {
    if (this.#match(LOOKAROUND)) {
      throw new PatternProblem(
        'it looks ahead or behind. Say the same without; a text may have several @expect.pattern, which must all match',
      )
    }
    if (this.#match(BACK_REFERENCE)) {
      throw new PatternProblem(
        'it refers back to what it has matched. Check that in the step, which can ask again',
      )
    }
    const edge = this.#edge()
    if (edge) return { kind: 'edge', edge }
    if (this.#isNext('(')) return this.#group()
    return { kind: 'char', test: charTest(this.#atom(), this.#atomFlags) }
  }

  #edge(): Edge | undefined {
    for (const [text, edge] of EDGES) if (this.#take(text)) return edge
  }

  #group(): PatternNode {
    const [opening] = this.#match(GROUP)!
    if (opening === '(' && this.#isNext('?')) {
      throw new PatternProblem('it changes its flags on the way. Give them once, for all of it')
    }
    const group = this.readAll()
    this.#take(')')
    return group
  }

  #atom(): string {
    const escape = this.#isUnicode ? UNICODE_ESCAPE : ESCAPE
    const character = this.#isUnicode ? UNICODE_CHARACTER : CHARACTER
    const [atom] = this.#match(CLASS) ?? this.#match(escape) ?? this.#match(character)!
    if (atom === '\\c') throw new PatternProblem('it has a "\\c" without a letter')
    return atom
  }

  #isNext(text: string): boolean {
    return this.#source.startsWith(text, this.#at)
  }

  #take(text: string): boolean {
    const isNext = this.#isNext(text)
    if (isNext) this.#at += text.length
    return isNext
  }

  #match(token: RegExp): RegExpExecArray | null {
    token.lastIndex = this.#at
    const match = token.exec(this.#source)
    if (match) this.#at = token.lastIndex
    return match
  }
}
