import type { TAtscriptAnnotatedType, TAtscriptTypeFinal } from '@atscript/typescript/utils'

/** A type whose values are written as one text. */
export type PlainType = TAtscriptTypeFinal

type Field = TAtscriptAnnotatedType

const YES = new Set(['true', 'on', '1', 'yes'])
const NO = new Set(['false', 'off', '0', 'no', ''])
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu
// As the inputs for dates write them; without a zone it is the universal one.
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/u
const ZONE = /(?:Z|[+-]\d{2}:\d{2})$/u

/**
 * A text as a value of the first of these types that it can be one of. If it can be none it stays as it
 * is; an empty one is nothing.
 */
export function decodeText(text: string, types: readonly PlainType[], field: Field): unknown {
  const asked = types.filter(({ value }) => value !== undefined)
  const chosen = asked.find(({ value }) => String(value) === text)
  if (chosen) return chosen.value
  const designs = new Set(types.map(({ designType }) => designType as string))
  if (designs.has('boolean') && isAbout(designs, 'boolean')) return decodeFlag(text)
  if (text === '') return designs.has('null') && !field.optional ? null : undefined
  // A text area sends the line ends of the wire.
  if (designs.has('string') && asked.length < types.length) return text.replaceAll('\r\n', '\n')
  const word = text.trim()
  if (designs.has('decimal')) return word
  return (designs.has('number') ? decodeNumber(word, field) : undefined) ?? text
}

function isAbout(designs: ReadonlySet<string>, design: string): boolean {
  return [...designs].every(each => each === design || each === 'null' || each === 'undefined')
}

function decodeFlag(text: string): unknown {
  if (YES.has(text)) return true
  return NO.has(text) ? false : text
}

function decodeNumber(word: string, field: Field): number | undefined {
  const number = NUMBER.test(word) ? Number(word) : DATE.test(word) ? momentOf(word, field) : NaN
  return Number.isFinite(number) ? number : undefined
}

/** A date for a number that counts milliseconds. */
function momentOf(word: string, { type, metadata }: Field): number {
  const input: unknown = metadata.get('ui.form.type' as never)
  const tags = [...((type as { readonly tags?: Iterable<string> }).tags ?? [])]
  if (!tags.includes('timestamp') && !String(input).startsWith('date')) return NaN
  return Date.parse(word.includes('T') && !ZONE.test(word) ? `${word}Z` : word)
}
