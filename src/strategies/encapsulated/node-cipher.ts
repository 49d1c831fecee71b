import type { KeyObject } from 'node:crypto'
import { type CompactJwe, parseCompact } from './compact-jwe'
import {
  DERIVATION,
  IV_BYTES,
  protectedHeader,
  TAG_BYTES,
  type TokenCipher,
  type TokenCipherOptions,
} from './token-cipher'

type Builtins = Pick<NodeJS.Process, 'getBuiltinModule'>

// Looked up at run time: an import would keep this module from being bundled for other runtimes.
const { getBuiltinModule } = (globalThis.process ?? {}) as Partial<Builtins>

/** Whether this runtime has node:crypto. */
export const hasNodeCrypto: boolean = Boolean(getBuiltinModule?.('node:crypto')?.createSecretKey)

interface Header {
  readonly segment: string
  /** The same as bytes, which are authenticated. */
  readonly aad: Uint8Array
  readonly key: KeyObject
  readonly compressed: boolean
}

/**
 * Synchronous and off the thread pool, on which password hashing queues up in a login; WebCrypto
 * would wait there.
 */
export function createNodeCipher(options: TokenCipherOptions): TokenCipher {
  const crypto = getBuiltinModule!('node:crypto')
  const zlib = getBuiltinModule!('node:zlib')
  const { isUtf8 } = getBuiltinModule!('node:buffer')
  const { compress, maxInflatedBytes } = options

  const kids = options.secrets.map(secret => derive(secret, DERIVATION.kid).toString('base64url'))
  const headers = new Map<string, Header>()
  options.secrets.forEach((secret, index) => {
    const key = crypto.createSecretKey(derive(secret, DERIVATION.key))
    for (const compressed of compress ? [true, false] : [false]) {
      const text = JSON.stringify(protectedHeader(kids[index] ?? '', compressed))
      const segment = Buffer.from(text).toString('base64url')
      headers.set(segment, { segment, aad: Buffer.from(segment), key, compressed })
    }
  })
  const [current] = headers.values()

  function derive(secret: Uint8Array, { info, bytes }: { info: string; bytes: number }): Buffer {
    return Buffer.from(crypto.hkdfSync('sha256', secret, new Uint8Array(), info, bytes))
  }

  function seal(text: string): string {
    const { segment, aad, key, compressed } = current!
    const iv = crypto.randomBytes(IV_BYTES)
    const cipher = crypto.createCipheriv('aes-256-gcm', key, iv).setAAD(aad)
    const ciphertext = compressed
      ? cipher.update(zlib.deflateRawSync(text))
      : cipher.update(text, 'utf8')
    cipher.final()
    const tag = cipher.getAuthTag().toString('base64url')
    return `${segment}..${iv.toString('base64url')}.${ciphertext.toString('base64url')}.${tag}`
  }

  function open(token: string): string | null {
    const header = headers.get(token.slice(0, Math.max(token.indexOf('.'), 0)))
    const jwe = header && parseCompact(token)
    const plain = jwe && decrypt(header, jwe)
    return plain && isUtf8(plain) ? plain.toString('utf8') : null
  }

  function decrypt({ key, aad, compressed }: Header, jwe: CompactJwe): Buffer | null {
    try {
      const decipher = crypto
        .createDecipheriv('aes-256-gcm', key, decode(jwe.iv), { authTagLength: TAG_BYTES })
        .setAAD(aad)
        .setAuthTag(decode(jwe.tag))
      const plain = decipher.update(decode(jwe.ciphertext))
      decipher.final()
      return compressed ? zlib.inflateRawSync(plain, { maxOutputLength: maxInflatedBytes }) : plain
    } catch {
      return null
    }
  }

  return { kids: () => kids, seal, open }
}

const decode = (segment: string): Buffer => Buffer.from(segment, 'base64url')
