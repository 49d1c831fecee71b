import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { sealData, unsealData } from 'iron-session'
import { CompactEncrypt, compactDecrypt } from 'jose'
import { createJoseCipher, EncapsulatedStateStrategy } from '../../dist/strategies/index.mjs'

const secret = randomBytes(32)
const key = createSecretKey(secret)
const cryptoKey = await crypto.subtle.importKey('raw', secret, 'AES-GCM', false, [
  'encrypt',
  'decrypt',
])
const password = secret.toString('hex')
const maxTokenLength = 100_000
const node = new EncapsulatedStateStrategy({ secret, maxTokenLength })
const jose = new EncapsulatedStateStrategy({ secret, maxTokenLength, cipher: createJoseCipher })

/** The least that can be done: encrypt JSON, write it as text, and back. */
const bare = {
  persist(state) {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    const sealed = cipher.update(JSON.stringify(state), 'utf8')
    cipher.final()
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
  },
  consume(token) {
    const bytes = Buffer.from(token, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    const text = decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
    return JSON.parse(text)
  },
}

/** The strategy of the public package, as it is described: a binary layout, with its expiry beside. */
const peer = {
  persist(state) {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', secret, iv)
    const text = JSON.stringify({ s: state, e: Date.now() + 1_800_000 })
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
  },
  consume(token) {
    const bytes = Buffer.from(token, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    const plain = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
    const { s, e } = JSON.parse(plain.toString('utf8'))
    return e > Date.now() ? s : null
  },
}

const joseAlone = {
  persist: state =>
    new CompactEncrypt(new TextEncoder().encode(JSON.stringify(state)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(cryptoKey),
  async consume(token) {
    const { plaintext } = await compactDecrypt(token, cryptoKey)
    return JSON.parse(new TextDecoder().decode(plaintext))
  },
}

const ironSession = {
  persist: state => sealData(state, { password, ttl: 1800 }),
  consume: token => unsealData(token, { password, ttl: 1800 }),
}

export const contenders = {
  'bare node:crypto': bare,
  'ours, node:crypto': node,
  'the public strategy (port)': peer,
  'jose alone': joseAlone,
  'ours, jose': jose,
  'iron-session': ironSession,
}
