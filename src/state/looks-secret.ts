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

/** Whether what is stored under this key is probably nobody's business, an admin's included. */
export function looksSecret(key: string): boolean {
  const words = key
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
  return ANYWHERE.test(words.join('')) || words.some(isSecretWord)
}

function isSecretWord(word: string): boolean {
  return [word, word.replace(/s$/u, ''), word.replace(/es$/u, '')].some(one => WORDS.has(one))
}
