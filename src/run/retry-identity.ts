import { Buffer } from 'node:buffer'
import { createHmac, hkdfSync } from 'node:crypto'
import { KEY_BYTES, openText, sealText } from './sealed-text'

/** For the name of the record, the seal and the digest. */
const BYTES = 3 * KEY_BYTES

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

  /** @param watch what a flow is watched by, where it is gone on with by a code */
  static ofCode(watch: string, requestId: string): RetryIdentity {
    return new RetryIdentity(hkdfSync('sha256', watch, requestId, 'moost-wf safe code', BYTES))
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
    return sealText(this.#sealKey, text)
  }

  /** @throws Error when it was sealed by another, or changed */
  open(sealed: string): string {
    return openText(this.#sealKey, sealed)
  }
}
