import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LinearPattern } from '../../src/forms/pattern/linear-pattern'
import { PatternProblem } from '../../src/forms/pattern/pattern-problem'
import { growthOf, LINEAR } from '../support/growth'
import { scaled } from '../support/scale'

/** Counts what is done, and never ends it. */
class Counter {
  steps = 0

  spend(steps: number): void {
    this.steps += steps
  }
}

const test = (source: string, flags: string, text: string) =>
  new LinearPattern(source, flags).test(text, new Counter())

const CHARACTERS = [
  ...'abckKsSéÉſ\u212a1-@._ {}pux\n\r\u2028\u00a0\v\0\x01',
  '😀',
  '\ud83d',
  '\ude00',
]
const ATOMS = [
  ...'akSéſ\u212a.@-_ ',
  ...'dwWsSnv0./'.split('').map(letter => `\\${letter}`),
  ...String.raw`😀 \cA \x62 \u0061 \ud83d\ude00`.split(' '),
  ...String.raw`[a-c] [^a] [^\s@] [\s\S] [] [^] [\]a] [\b] [😀]`.split(' '),
]
const LEGACY_ATOMS = String.raw`{ } ] a{,2} \p \u \x \- \a [\d-x]`.split(' ')
const UNICODE_ATOMS = String.raw`\u{1F600} \p{L} \P{Lu} [\p{L}\d] \p{Lu}`.split(' ')
const EDGES = ['^', '$', '\\b', '\\B']
const COUNTS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}', '{2,3}?', '{0}', '{0,}']

/**
 * What the native RegExp says. It is asked at every character, as the specification has it: left to
 * itself, V8 finds a `\\B` between the halves of a surrogate pair.
 */
function native(source: string, flags: string, text: string): boolean {
  const sticky = new RegExp(source, `${flags.replace('y', '')}y`)
  const starts = [0]
  const characters = flags.includes('u') ? [...text] : text.split('')
  for (const character of characters) starts.push(starts.at(-1)! + character.length)
  return (flags.includes('y') ? [0] : starts).some(start => {
    sticky.lastIndex = start
    return sticky.test(text)
  })
}

/** Patterns of everything that is supported. */
const patternOf = (isUnicode: boolean) =>
  fc.letrec<{ pattern: string }>(tie => {
    const atom = fc.constantFrom(...ATOMS, ...(isUnicode ? UNICODE_ATOMS : LEGACY_ATOMS))
    const part = tie('pattern')
    const counted = fc.tuple(part, fc.constantFrom(...COUNTS)).map(([one, n]) => `(?:${one})${n}`)
    const two = fc.tuple(part, part)
    return {
      pattern: fc.oneof(
        { depthSize: 'medium', maxDepth: 5 },
        atom,
        fc.constantFrom(...EDGES),
        two.map(parts => parts.join('')),
        two.map(parts => `(?:${parts.join('|')})`),
        part.map(one => `(${one})`),
        counted,
      ),
    }
  }).pattern

const cases = fc.boolean().chain(isUnicode =>
  fc.record({
    source: patternOf(isUnicode),
    flags: fc.subarray(['i', 'm', 's', 'g', 'y']).map(f => f.join('') + (isUnicode ? 'u' : '')),
    texts: fc.array(fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 6 }), { maxLength: 8 }),
  }),
)

describe('a pattern', () => {
  it('matches exactly what the native RegExp matches', () => {
    let matched = 0
    fc.assert(
      fc.property(cases, ({ source, flags, texts }) => {
        const pattern = new LinearPattern(source, flags)
        for (const characters of texts) {
          const text = characters.join('')
          const expected = native(source, flags, text)
          expect(pattern.test(text, new Counter()), JSON.stringify(text)).toBe(expected)
          if (expected) matched++
        }
      }),
      { numRuns: scaled(3000, 200_000) },
    )
    expect(matched).toBeGreaterThan(1000)
  })

  it.each([
    ['\\s', '', '\u00a0'],
    ['^\\S+$', '', 'a\u00a0b'],
    ['^.+$', '', 'a\rb'],
    ['^.$', '', '😀'],
    ['^.$', 'u', '😀'],
    ['^b', 'm', 'a\u2028b'],
    ['k', 'i', '\u212a'],
    ['k', 'iu', '\u212a'],
    ['a$', '', 'a\n'],
    ['b', 'y', 'ab'],
    ['(?<year>\\d{4})-(?:0[1-9]|1[0-2])', '', 'in 2024-12'],
  ])('means what it means to the native one: /%s/%s on %j', (source, flags, text) => {
    expect(test(source, flags, text)).toBe(new RegExp(source, flags).test(text))
  })

  it.each([
    ['(?=a)', '', /looks ahead or behind/u],
    ['(?!a)', '', /looks ahead or behind/u],
    ['(?<=a)b', '', /looks ahead or behind/u],
    ['(?<!a)b', '', /looks ahead or behind/u],
    ['(a)\\1', '', /refers back/u],
    ['(?<x>a)\\k<x>', '', /refers back/u],
    ['\\07', '', /refers back/u],
    ['a{1,100000}', '', /counts too far/u],
    ['((a{100}){100}){100}', '', /counts too far/u],
    ['[a', '', /no regular expression/u],
    ['\\cé', '', /without a letter/u],
    ['a', 'v', /flags/u],
    ['a', 'ii', /no regular expression/u],
  ])('that goes back or counts too far is refused: /%s/%s', (source, flags, reason) => {
    const open = () => new LinearPattern(source, flags)
    expect(open).toThrow(PatternProblem)
    expect(open).toThrow(reason)
  })
})

/** Patterns that make the native RegExp go back, and what they go back on. */
const HARD: readonly [source: string, flags: string, text: (size: number) => string][] = [
  ['^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', '', size => `a@${'.'.repeat(size)}@`],
  ['^(a+)+$', '', size => `${'a'.repeat(size)}!`],
  ['^(a|a)*$', '', size => `${'a'.repeat(size)}!`],
  ['^(a|ab|b)*$', '', size => `${'ab'.repeat(size / 2)}!`],
  ['(x+x+)+y', '', size => 'x'.repeat(size)],
  ['\\s+$', '', size => `${' '.repeat(size)}!`],
  ['^([a-z0-9]+[-._]?)*@x$', 'i', size => 'a'.repeat(size)],
  ['^(?:\\w+\\s?)*$', 'u', size => `${'a'.repeat(size)}é`],
  ['(?:a?){20}a{20}$', '', size => `${'a'.repeat(size)}b`],
]

describe('the time that a pattern takes', () => {
  it.each(HARD)('grows with the text and not faster: /%s/%s', (source, flags, text) => {
    const pattern = new LinearPattern(source, flags)
    const steps = (size: number) => {
      const counter = new Counter()
      pattern.test(text(size), counter)
      return counter.steps
    }
    expect(steps(20_000) / steps(10_000)).toBeLessThan(2.1)
    expect(growthOf(size => pattern.test(text(size), new Counter()), 10_000)).toBeLessThan(LINEAR)
  })
})
