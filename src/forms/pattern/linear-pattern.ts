import { type CharTest, charTest } from './char-test'
import { PatternProblem } from './pattern-problem'
import { type Edge, readPattern } from './read-pattern'
import { type State, writeProgram } from './write-program'

/** Counts the work that is done, and may throw to end it. */
export interface Work {
  spend(steps: number): void
}

const LINE_ENDS = '\n\r\u2028\u2029'
const KNOWN_FLAGS = /^[dgimsuy]*$/u

/**
 * A regular expression that takes time in proportion to the text, whatever the text is. The native
 * one goes back and tries again: on a text made for it, one e-mail address holds the whole server up.
 *
 * What matches is what `new RegExp(source, flags).test(text)` says the first time.
 */
export class LinearPattern {
  readonly #states: readonly State[]
  readonly #start: number
  readonly #isUnicode: boolean
  readonly #isMultiline: boolean
  /** It matches at the start of the text or not at all. */
  readonly #isAnchored: boolean
  readonly #wordTest: CharTest
  /** The round in which a state was visited last, so that it is visited once per round. */
  readonly #visited: Float64Array
  #round = 0

  /** @throws PatternProblem */
  constructor(source: string, flags = '') {
    assertRegExp(source, flags)
    const { states, start } = writeProgram(readPattern(source, flags))
    this.#states = states
    this.#start = start
    this.#isUnicode = flags.includes('u')
    this.#isMultiline = flags.includes('m')
    this.#isAnchored =
      flags.includes('y') || (states[start]!.edge === 'start' && !this.#isMultiline)
    this.#wordTest = charTest('\\w', flags.replaceAll(/[^iu]/gu, ''))
    this.#visited = new Float64Array(states.length)
  }

  test(text: string, work: Work): boolean {
    const pending = [this.#start]
    let at = 0
    for (;;) {
      const threads: State[] = []
      if (this.#follow(pending, text, at, threads, work)) return true
      const isStuck = threads.length === 0 && this.#isAnchored
      if (isStuck || at >= text.length) return false
      const code = this.#isUnicode ? text.codePointAt(at)! : text.charCodeAt(at)
      for (const { test, next } of threads) if (test!.matches(code)) pending.push(next!)
      if (!this.#isAnchored) pending.push(this.#start)
      at += code > 0xffff ? 2 : 1
    }
  }

  /** Goes on from the pending states to all that the next character decides about. */
  #follow(pending: number[], text: string, at: number, into: State[], work: Work): boolean {
    const round = ++this.#round
    let steps = 0
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      steps++
      if (this.#visited[index] === round) continue
      this.#visited[index] = round
      const state = this.#states[index]!
      if (state.next === undefined) return true
      if (state.test) into.push(state)
      else if (!state.edge || this.#isAt(state.edge, text, at)) pending.push(state.next)
      if (state.other !== undefined) pending.push(state.other)
    }
    work.spend(steps + into.length)
    return false
  }

  #isAt(edge: Edge, text: string, at: number): boolean {
    switch (edge) {
      case 'start':
        return at === 0 || (this.#isMultiline && LINE_ENDS.includes(text[at - 1]!))
      case 'end':
        return at === text.length || (this.#isMultiline && LINE_ENDS.includes(text[at]!))
      default: {
        const isBoundary = this.#isWord(text, at - 1) !== this.#isWord(text, at)
        return isBoundary === (edge === 'word')
      }
    }
  }

  #isWord(text: string, at: number): boolean {
    const isInside = at >= 0 && at < text.length
    return isInside && this.#wordTest.matches(text.charCodeAt(at))
  }
}

/** The native one checks the syntax. */
function assertRegExp(source: string, flags: string): void {
  if (!KNOWN_FLAGS.test(flags)) {
    throw new PatternProblem(`the flags "${flags}" are not supported. Use some of "gimsuy"`)
  }
  try {
    RegExp(source, flags)
  } catch (error) {
    throw new PatternProblem('it is no regular expression', { cause: error })
  }
}
