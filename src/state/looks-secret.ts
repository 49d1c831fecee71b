import { isRecord } from './is-record'

/** Found anywhere in a key: `userPassword`, `accesstoken2`. */
const ANYWHERE =
  /passw|passphrase|secret|token|credential|cookie|authori[sz]ation|apikey|privatekey/u

/** Too short for that: `key` is a word of `signingKey`, and a part of `monkey`. */
const WORDS = new Set(
  ['auth', 'bearer', 'code', 'cvc', 'cvv', 'handle', 'hash', 'hmac', 'jwt', 'key', 'otp'].concat([
    'pin',
    'pwd',
    'salt',
    'signature',
    'ssn',
    'totp',
  ]),
)

/** The keys of contexts come again and again. Requests name some of them, so there is an end to it. */
const known = new Map<string, boolean>()
const MOST_KNOWN = 2000
const LONGEST_KNOWN = 60

/** Whether what is stored under this key is probably nobody's business, an admin's included. */
export function looksSecret(key: string): boolean {
  const before = known.get(key)
  if (before !== undefined) return before
  const isSecret = isSecretKey(key)
  if (known.size < MOST_KNOWN && key.length <= LONGEST_KNOWN) known.set(key, isSecret)
  return isSecret
}

/** Whether a value of JSON has such a key anywhere. */
export function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret)
  if (!isRecord(value)) return false
  return Object.entries(value).some(([key, part]) => looksSecret(key) || holdsSecret(part))
}

function isSecretKey(key: string): boolean {
  const words = key
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
  return ANYWHERE.test(words.join('')) || words.some(isSecretWord)
}

function isSecretWord(word: string): boolean {
  return [word, word.replace(/s$/u, ''), word.replace(/es$/u, '')].some(one => WORDS.has(one))
}
