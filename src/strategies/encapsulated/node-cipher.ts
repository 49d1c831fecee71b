import type { KeyObject } from 'node:crypto'
import { type CompactJwe, cutCompact } from './compact-jwe'
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
  const nextIv = ivSource(crypto)

  function derive(secret: Uint8Array, { info, bytes }: { info: string; bytes: number }): Buffer {
    return Buffer.from(crypto.hkdfSync('sha256', secret, new Uint8Array(), info, bytes))
  }

  function seal(text: string): string {
    const { segment, aad, key, compressed } = current!
    const iv = nextIv()
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
    const jwe = header && cutCompact(token)
    const plain = jwe && decrypt(header, jwe)
    return plain && isUtf8(plain) ? plain.toString('utf8') : null
  }

  function decrypt({ key, aad, compressed }: Header, jwe: CompactJwe): Buffer | null {
    const [iv, tag, ciphertext] = [decode(jwe.iv), decode(jwe.tag), decode(jwe.ciphertext)]
    if (!iv || !tag || !ciphertext) return null
    try {
      const decipher = crypto
        .createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
        .setAAD(aad)
        .setAuthTag(tag)
      const plain = decipher.update(ciphertext)
      decipher.final()
      return compressed ? zlib.inflateRawSync(plain, { maxOutputLength: maxInflatedBytes }) : plain
    } catch {
      return null
    }
  }

  return { kids: () => kids, seal, open }
}

/**
 * The bytes of a segment; `null` unless it is their one spelling. The decoder takes many for the same,
 * and to encode them again is the quickest way to tell.
 */
function decode(segment: string): Buffer | null {
  const bytes = Buffer.from(segment, 'base64url')
  return bytes.toString('base64url') === segment ? bytes : null
}

const IVS_AT_ONCE = 64

/** Draws from the system's generator in bulk, which costs less. Each iv is given out once. */
function ivSource(crypto: typeof import('node:crypto')): () => Buffer {
  const pool = Buffer.alloc(IVS_AT_ONCE * IV_BYTES)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      crypto.randomFillSync(pool)
      used = 0
    }
    used += IV_BYTES
    return pool.subarray(used - IV_BYTES, used)
  }
}
