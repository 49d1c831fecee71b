import { WfError } from '../../errors'

/** A secret of node:crypto, as far as it is needed here. */
interface SecretKeyObject {
  readonly type: string
  export(): Uint8Array
}

/**
 * At least 32 random bytes: as bytes, as a secret `KeyObject`, as exactly 64 hex characters, or as
 * 43 characters of base64 or base64url (44 with the padding).
 */
export type WfSecret = string | Uint8Array | SecretKeyObject

const MIN_BYTES = 32
const HEX = /^[\da-f]{64}$/iu
// 32 bytes; the last character has two unused bits, which must be zero.
const BASE64 = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=?$/u
const BASE64URL = /^[\w-]{42}[AEIMQUYcgkosw048]=?$/u

const HOW_TO =
  'Make one with: node -e "console.log(crypto.randomBytes(32).toString(\'base64url\'))"'

/** @throws WfError `WF_CONFIG`, which says how to make a secret and never shows this one */
function parseSecret(secret: WfSecret): Uint8Array {
  const bytes = toBytes(secret)
  if (!bytes || bytes.length < MIN_BYTES) {
    throw new WfError(
      'WF_CONFIG',
      `A secret is 32 or more bytes, 64 hex characters, or 43 of base64. ${HOW_TO}`,
    )
  }
  if (bytes.every(byte => byte === bytes[0])) {
    throw new WfError('WF_CONFIG', `This secret is one byte repeated. ${HOW_TO}`)
  }
  return bytes
}

/**
 * One secret, or several, of which the first is the current one.
 *
 * @throws WfError `WF_CONFIG`
 */
export function parseSecrets(secret: WfSecret | readonly WfSecret[]): Uint8Array[] {
  const secrets = (Array.isArray(secret) ? secret : [secret]).map(parseSecret)
  const [first, ...older] = secrets
  if (!first) throw new WfError('WF_CONFIG', 'There is no secret in the list.')
  const distinct = new Set([first, ...older].map(bytes => bytes.join()))
  if (distinct.size < secrets.length) {
    throw new WfError('WF_CONFIG', 'The same secret stands in the list twice.')
  }
  return secrets
}

function toBytes(secret: WfSecret): Uint8Array | undefined {
  if (typeof secret === 'string') return decode(secret)
  if (secret instanceof Uint8Array) return Uint8Array.from(secret)
  const isKey = secret?.type === 'secret' && typeof secret.export === 'function'
  return isKey ? Uint8Array.from(secret.export()) : undefined
}

// Exact forms only: lenient decoders drop what they do not know, and shorten the key without a word.
function decode(text: string): Uint8Array | undefined {
  if (HEX.test(text)) {
    return Uint8Array.from(text.match(/../gu) ?? [], pair => Number.parseInt(pair, 16))
  }
  if (!BASE64.test(text) && !BASE64URL.test(text)) return undefined
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64.replace(/=$/u, '')), char => char.charCodeAt(0))
}
