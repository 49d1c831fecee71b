import type { Random } from './random'

/** JSON text that no value stands for, such as `1e400`. */
export class RawJson {
  constructor(readonly text: string) {}
}

const SURROGATE = '\ud800'
const NUL = '\0'

/** What databases do not take, and what makes a text odd in other ways. */
const UNSTORABLE = [NUL, SURROGATE, '\udfff']
const SNIPPETS = [
  ['\r\n', '\n', '%', "'", '"', '\\', '<', ' ', '\u202e', '\ufeff', 'e\u0301', '👩‍👩‍👧‍👦'],
  ['x'.repeat(200), 'a@'.repeat(60), '.'.repeat(120)],
].flat()

/** Something to put into the middle of a text. */
export const oddSnippet = (random: Random): string =>
  random.pick(random.chance(0.5) ? UNSTORABLE : SNIPPETS)

const TEXTS: readonly string[] = [
  '',
  ' ',
  NUL,
  `a${NUL}b`,
  `${NUL}@example.com`,
  `a${NUL}@example.com`,
  SURROGATE,
  `\udfff${SURROGATE}`,
  `${SURROGATE}x@example.com`,
  'x'.repeat(3) + SURROGATE,
  '\ufeff',
  '\u202eabc',
  '\u2028',
  'e\u0301'.repeat(40),
  '👩‍👩‍👧‍👦',
  'ı@İ.ſ',
  'a\r\nBcc: b@example.com',
  '"<a@b>, <c@d>" <e@f>',
  "' or 1=1 --",
  '%',
  '_%\\',
  '%00',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '${7*7}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '$gt',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e999',
  '0x10',
  '9'.repeat(400),
  '-9223372036854775809',
  '2026-01-01T00:00:00Z',
  'true',
  'handle.',
  'encapsulated.',
  'handle.00000000-0000-4000-8000-000000000000',
  'encapsulated.e30..AAAA.AAAA.AAAA',
]

/** Texts that slow patterns choke on, and texts that are longer than anything should be. */
const LONG: readonly ((length: number) => string)[] = [
  length => 'a'.repeat(length),
  length => `${'a'.repeat(length)}@`,
  length => `${'a.'.repeat(length / 2)}@b`,
  length => `a@${'a'.repeat(length)}`,
  length => `a@${'b.'.repeat(length / 2)}`,
  length => `a@${'b-'.repeat(length / 2)}!`,
  length => '@'.repeat(length),
  length => `${'a@'.repeat(length / 2)}.`,
  length => `a@${'b.'.repeat(length / 2)}@`,
  length => `a@${'.'.repeat(length)} `,
  length => ' '.repeat(length),
  length => '1'.repeat(length),
  length => '😀'.repeat(length / 2),
  length => NUL.repeat(length),
]
const LENGTHS = [150, 198, 199, 200, 201, 500, 501, 5000, 60_000, 300_000]

export function oddText(random: Random): string {
  return random.chance(0.25) ? random.pick(LONG)(random.pick(LENGTHS)) : random.pick(TEXTS)
}

const NUMBERS: readonly (number | RawJson)[] = [
  0,
  -1,
  0.001,
  0.1 + 0.2,
  1e21,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  2 ** 64,
  8.64e15 + 1,
  5e-324,
  new RawJson('-0'),
  new RawJson('1e400'),
  new RawJson('1'.repeat(400)),
  new RawJson(`0.${'0'.repeat(400)}1`),
]

/** Also where the key is `__proto__`. */
export function setKey(parent: object, key: string, value: unknown): object {
  const property = { value, enumerable: true, configurable: true, writable: true }
  return Object.defineProperty(parent, key, property)
}

const nested = (open: string, close: string, depth: number) =>
  new RawJson(`${open.repeat(depth)}1${close.repeat(depth)}`)

/** Made anew each time, because they may be changed further. */
const SHAPES: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => [],
  () => ({}),
  () => [null],
  () => [[]],
  () => ({ a: 1 }),
  () => ({ length: 5 }),
  () => ({ toString: 1, valueOf: null }),
  () => ({ toJSON: 'x' }),
  () => setKey({}, 'then', 'y'),
  () => ({ $gt: '' }),
  () => ({ $ne: null }),
  () => ({ $in: [NUL, SURROGATE] }),
  () => setKey({}, '__proto__', { isAdmin: true }),
  () => ({ constructor: { prototype: { isAdmin: true } } }),
  () => setKey({}, NUL, NUL),
  () => setKey({}, SURROGATE, 1),
  () => Array.from({ length: 2000 }, (_, index) => index),
  () => Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, index])),
  () => nested('[', ']', 60),
  () => nested('[', ']', 20_000),
  () => nested('{"a":', '}', 63),
  () => nested('{"a":', '}', 5000),
  () => new RawJson('{"a":1,"a":2}'),
]

/** A value of JSON that nobody would send who means well. */
export function oddJson(random: Random): unknown {
  const kind = random.next()
  if (kind < 0.5) return oddText(random)
  return kind < 0.7 ? random.pick(NUMBERS) : random.pick(SHAPES)()
}

export function toJson(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const pairs = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${toJson(one)}`)
  return `{${pairs.join(',')}}`
}
