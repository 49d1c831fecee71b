import { Buffer } from 'node:buffer'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Of a key that seals. */
export const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** Encrypts a text, so that it opens with this key alone, and only as it was. */
export function sealText(key: Buffer, text: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  const sealed = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64url')
}

/** @throws Error when it was sealed by another key, or changed */
export function openText(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const body = bytes.subarray(IV_BYTES, -TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
}
