import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'

// OWASP's recommendation for scrypt with 32 MiB per hash.
const N = 2 ** 15
const R = 8
const P = 3
const MAX_MEMORY = 64 * 2 ** 20
const LENGTH = 32

/** A hash of a password with all that is needed to check it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, { N, r: R, p: P })
  return ['scrypt', N, R, P, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/**
 * Whether a password is the one that was hashed. Without a hash the answer is no, and takes as long:
 * whether there is an account cannot be told from the time.
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, n, r, p, salt = '', hash = ''] = (stored ?? (await nobodysHash())).split('$')
  const expected = Buffer.from(hash, 'base64url')
  const cost = { N: Number(n), r: Number(r), p: Number(p) }
  const actual = await derive(password, Buffer.from(salt, 'base64url'), cost)
  return timingSafeEqual(actual, expected) && stored !== undefined
}

let nobody: Promise<string> | undefined

/** Made when the application starts, so that the first unknown account takes no longer either. */
export function nobodysHash(): Promise<string> {
  nobody ??= hashPassword(randomBytes(32).toString('hex'))
  return nobody
}

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  // The same characters can be composed in several ways, by the keyboard's choice.
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(text, salt, LENGTH, { ...cost, maxmem: MAX_MEMORY }, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}
