/** How long an authenticator app shows a code. */
export const TOTP_PERIOD_MS = 30_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * What an authenticator app would show (RFC 6238). For the demo only: a real secret is never in a page.
 * `undefined` where the browser has no cryptography, which is everywhere but on https and localhost.
 */
export async function totpAt(secret: string, now: number): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(Math.floor(now / TOTP_PERIOD_MS)))
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const key = await crypto.subtle.importKey('raw', decode(secret), algorithm, false, ['sign'])
  const hash = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer))
  const offset = hash.getUint8(hash.byteLength - 1) & 0xf
  const number = (hash.getUint32(offset) & 0x7fffffff) % 1_000_000
  return String(number).padStart(6, '0')
}

/** Base32 without padding (RFC 4648). */
function decode(text: string): Uint8Array<ArrayBuffer> {
  const bits = [...text].map(char => ALPHABET.indexOf(char).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/gu) ?? []
  return Uint8Array.from(bytes, byte => Number.parseInt(byte, 2))
}
