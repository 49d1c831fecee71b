const ID_LENGTH = 16
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const pool = new Uint8Array(256 * ID_LENGTH)
let used = pool.length

/** 96 random bits as 16 characters. Draws from the system's generator in bulk, which costs less. */
export function randomId(): string {
  if (used === pool.length) {
    globalThis.crypto.getRandomValues(pool)
    used = 0
  }
  let id = ''
  for (const end = used + ID_LENGTH; used < end; used++) id += ALPHABET[pool[used]! & 63]
  return id
}
