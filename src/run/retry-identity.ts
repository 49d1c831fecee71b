import { Buffer } from 'node:buffer'
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const KEY_BYTES = 32
/** For the name of the record, the seal and the digest. */
const BYTES = 3 * KEY_BYTES
const IV_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/**
 * What a request that may be sent again is known by: its token and its id, or the id alone for a start,
 * which has no token. Whoever has them can open what was recorded for them; neither is stored, and what
 * is stored does not open without them.
 */
export class RetryIdentity {
  /** Names the record. */
  readonly id: string
  readonly #sealKey: Buffer
  readonly #digestKey: Buffer

  static ofResume(token: string, requestId: string): RetryIdentity {
    return new RetryIdentity(hkdfSync('sha256', token, requestId, 'moost-wf safe retry', BYTES))
  }

  /** @param requestId that nobody can guess */
  static ofStart(requestId: string): RetryIdentity {
    return new RetryIdentity(hkdfSync('sha256', requestId, '', 'moost-wf safe start', BYTES))
  }

  private constructor(bytes: ArrayBuffer) {
    const keys = Buffer.from(bytes)
    this.id = keys.subarray(0, KEY_BYTES).toString('base64url')
    this.#sealKey = keys.subarray(KEY_BYTES, 2 * KEY_BYTES)
    this.#digestKey = keys.subarray(2 * KEY_BYTES)
  }

  /** Tells inputs apart without keeping them. */
  digest(input: unknown): string {
    return createHmac('sha256', this.#digestKey)
      .update(JSON.stringify(input) ?? '')
      .digest('base64url')
  }

  seal(text: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.#sealKey, iv)
    const sealed = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64url')
  }

  /** @throws Error when it was sealed by another, or changed */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const body = bytes.subarray(IV_BYTES, -TAG_BYTES)
    const decipher = createDecipheriv(CIPHER, this.#sealKey, bytes.subarray(0, IV_BYTES))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
  }
}
