import { base64url, CompactEncrypt, compactDecrypt, type CryptoKey } from 'jose'
import { cutCompact, isCanonical } from './compact-jwe'
import {
  DERIVATION,
  protectedHeader,
  type TokenCipher,
  type TokenCipherOptions,
} from './token-cipher'

interface Key {
  readonly kid: string
  readonly cryptoKey: CryptoKey
}

/** The reference implementation: jose, on any runtime with WebCrypto. */
export function createJoseCipher(options: TokenCipherOptions): TokenCipher {
  const { secrets, compress, maxInflatedBytes } = options
  let derived: Promise<Key[]> | undefined

  /** Derived once; a failure is not remembered. */
  function keys(): Promise<Key[]> {
    derived ??= Promise.all(secrets.map(deriveKey)).catch((error: unknown) => {
      derived = undefined
      throw error
    })
    return derived
  }

  async function seal(text: string): Promise<string> {
    const [current] = await keys()
    return new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader(protectedHeader(current!.kid, compress))
      .encrypt(current!.cryptoKey)
  }

  async function open(token: string): Promise<string | null> {
    const jwe = cutCompact(token)
    if (!jwe || !isCanonical(jwe)) return null
    const key = (await keys()).find(({ kid }) => headersOf(kid).includes(jwe.header))
    if (!key) return null
    try {
      const { plaintext } = await compactDecrypt(token, key.cryptoKey, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        maxDecompressedLength: compress ? maxInflatedBytes : 0,
      })
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plaintext)
    } catch {
      return null
    }
  }

  function headersOf(kid: string): string[] {
    return (compress ? [true, false] : [false]).map(compressed =>
      base64url.encode(JSON.stringify(protectedHeader(kid, compressed))),
    )
  }

  return { kids: async () => (await keys()).map(({ kid }) => kid), seal, open }
}

async function deriveKey(secret: Uint8Array): Promise<Key> {
  const kid = base64url.encode(await derive(secret, DERIVATION.kid))
  const bytes = await derive(secret, DERIVATION.key)
  const cryptoKey = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])
  return { kid, cryptoKey }
}

async function derive(
  secret: Uint8Array,
  { info, bytes }: { info: string; bytes: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const base = Uint8Array.from(secret)
  const key = await crypto.subtle.importKey('raw', base, 'HKDF', false, ['deriveBits'])
  const params = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: new TextEncoder().encode(info),
  }
  return new Uint8Array(await crypto.subtle.deriveBits(params, key, bytes * 8))
}
