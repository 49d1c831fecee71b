/**
 * OWASP's 210,000 rounds of PBKDF2 with SHA-512. Workers refuse more than 100,000 at a time, so each part is
 * the salt of the next one.
 */
const PARTS = 3
const ROUNDS = 70_000
const BITS = 512

/** A hash of a password with all that is needed to check it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const hash = await derive(password, salt, PARTS, ROUNDS)
  return ['pbkdf2-sha512', PARTS, ROUNDS, toHex(salt), toHex(hash)].join('$')
}

/**
 * Whether a password is the one that was hashed. Without a hash the answer is no, and takes as long:
 * whether there is an account cannot be told from the time.
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, parts, rounds, salt = '', hash = ''] = (stored ?? NOBODYS).split('$')
  const actual = await derive(password, fromHex(salt), Number(parts), Number(rounds))
  return isSame(actual, fromHex(hash)) && stored !== undefined
}

/** Of nobody: no password has it. */
const NOBODYS = ['pbkdf2-sha512', PARTS, ROUNDS, '00'.repeat(16), '00'.repeat(64)].join('$')

async function derive(password: string, salt: Uint8Array, parts: number, iterations: number) {
  // The same characters can be composed in several ways, by the keyboard's choice.
  const bytes = new TextEncoder().encode(password.normalize('NFKC'))
  const key = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveBits'])
  let derived = Uint8Array.from(salt)
  for (let part = 0; part < parts; part++) {
    const how = { name: 'PBKDF2', hash: 'SHA-512', salt: derived, iterations }
    derived = new Uint8Array(await crypto.subtle.deriveBits(how, key, BITS))
  }
  return derived
}

/** In a time that does not tell how much of it was right. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one[at]! ^ (other[at] ?? 0)
  return difference === 0
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../gu) ?? [], pair => Number.parseInt(pair, 16))
