import type { CharTest } from './char-test'
import { PatternProblem } from './pattern-problem'
import type { Edge, PatternNode } from './read-pattern'

/** One state of the machine that a pattern becomes. */
export interface State {
  /** Passed by a character, if it is one of these. */
  readonly test?: CharTest
  /** Passed without a character, at such a place. */
  readonly edge?: Edge
  /** Where it goes on; nowhere from the last state, which is a match. */
  next?: number
  /** Where it goes on as well. */
  other?: number
}

export interface Program {
  readonly states: readonly State[]
  readonly start: number
}

const MOST_STATES = 5000

/**
 * Writes a pattern as states that all run side by side (Thompson's construction). Counts are written
 * out, so a pattern with large ones is refused.
 *
 * @throws PatternProblem
 */
export function writeProgram(pattern: PatternNode): Program {
  const states: State[] = []
  const add = (state: State): number => {
    if (states.length >= MOST_STATES) throw tooLarge()
    return states.push(state) - 1
  }

  // From the end to the start: each part is told where to go on.
  const write = (node: PatternNode, next: number): number => {
    switch (node.kind) {
      case 'char':
        return add({ test: node.test, next })
      case 'edge':
        return add({ edge: node.edge, next })
      case 'sequence':
        return node.parts.reduceRight((behind, part) => write(part, behind), next)
      case 'choice':
        return node.parts
          .map(part => write(part, next))
          .reduceRight((other, entry) => add({ next: entry, other }))
      default:
        return writeRepeat(node, next)
    }
  }

  const writeRepeat = (
    { part, least, most }: Extract<PatternNode, { kind: 'repeat' }>,
    next: number,
  ): number => {
    const copies = most === Infinity ? least : most
    if (copies > MOST_STATES) throw tooLarge()
    let entry = next
    if (most === Infinity) {
      const loop: State = { other: next }
      entry = add(loop)
      loop.next = write(part, entry)
    }
    for (let copy = copies; copy > 0; copy--) {
      const taken = write(part, entry)
      entry = copy > least ? add({ next: taken, other: next }) : taken
    }
    return entry
  }

  return { start: write(pattern, add({})), states }
}

function tooLarge(): PatternProblem {
  return new PatternProblem(
    'it counts too far. Limit the length with @expect.minLength and @expect.maxLength instead',
  )
}
