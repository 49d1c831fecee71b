import { Buffer } from 'node:buffer'
import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { KEY_BYTES, openText, sealText } from './sealed-text'

const CURVE = 'x25519'
/** What stands before the 32 bytes of a private key (RFC 8410). */
const PRIVATE_KEY = Buffer.from('302e020100300506032b656e04220420', 'hex')
const JWK = { kty: 'OKP', crv: 'X25519' }

/**
 * A box that anybody can put a token into who knows its address, and that opens with a code and with
 * what the flow is watched by, and with nothing less. By the address a link that is sent anew gets a code
 * as well, although the server does not know what the flow is watched by.
 */
export function boxAddressOf(watch: string): string {
  return addressOf(createPublicKey(privateKeyOf(watch)))
}

/** Closes a token up in a box. */
export function sealFor(address: string, code: string, token: string): string {
  const { publicKey, privateKey } = generateKeyPairSync(CURVE)
  const key = keyOf(privateKey, publicKeyAt(address), code)
  return `${addressOf(publicKey)}.${sealText(key, token)}`
}

/** The token in a box; `undefined` if the code is another. */
export function openBox(watch: string, code: string, sealed: string): string | undefined {
  const [sender = '', text = ''] = sealed.split('.')
  try {
    return openText(keyOf(privateKeyOf(watch), publicKeyAt(sender), code), text)
  } catch {
    return undefined
  }
}

function keyOf(privateKey: KeyObject, publicKey: KeyObject, code: string): Buffer {
  const shared = diffieHellman({ privateKey, publicKey })
  return Buffer.from(hkdfSync('sha256', shared, code, 'moost-wf code', KEY_BYTES))
}

function privateKeyOf(watch: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', watch, '', 'moost-wf code box', KEY_BYTES))
  return createPrivateKey({ key: Buffer.concat([PRIVATE_KEY, seed]), format: 'der', type: 'pkcs8' })
}

function publicKeyAt(x: string): KeyObject {
  return createPublicKey({ key: { ...JWK, x }, format: 'jwk' })
}

function addressOf(publicKey: KeyObject): string {
  return publicKey.export({ format: 'jwk' }).x ?? ''
}
