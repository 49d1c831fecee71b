import { randomBytes } from 'node:crypto'

/** Crockford's: no letter that is taken for a digit, and 40 bits in eight characters. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 8
const HALF = LENGTH / 2
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`, 'u')
/** What people put between the halves, and what keyboards put behind a word. */
const BETWEEN = /[\s\p{Pd}._]/gu
const LONGEST_TYPED = 100

/** A code that a person can read off one screen and type into another, `7KQF-30MX`. */
export function newCode(): string {
  const characters = [...randomBytes(LENGTH)].map(byte => ALPHABET[byte % ALPHABET.length]).join('')
  return `${characters.slice(0, HALF)}-${characters.slice(HALF)}`
}

/** The code in what was typed, in one spelling; `undefined` for what cannot be one. */
export function readCode(typed: unknown): string | undefined {
  if (typeof typed !== 'string' || typed.length > LONGEST_TYPED) return undefined
  const plain = typed.normalize('NFKC').toUpperCase().replaceAll(BETWEEN, '')
  const code = plain.replaceAll(/[IL]/gu, '1').replaceAll('O', '0')
  return CODE.test(code) ? code : undefined
}

/** The ways in which an error, or an outlet's answer, may quote a code. */
export function codeSpellings(code: string | undefined): readonly string[] {
  return code === undefined ? [] : [code, code.replace('-', '')]
}
