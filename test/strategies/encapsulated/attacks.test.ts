import crypto, { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { deflateRawSync } from 'node:zlib'
import { createJoseCipher, createNodeCipher, isRefusal } from '@atscript/moost-wf/strategies'
import fc from 'fast-check'
import { CompactEncrypt, CompactSign } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { scaled } from '../../support/scale'
import { build, clock, secret, state } from '../../support/tokens'
import { delivered } from '../../support/paused'

const engines = { node: createNodeCipher, jose: createJoseCipher }

/** The key and the id that the strategy derives, by an implementation of its own. */
const derive = (info: string, bytes: number, from: Uint8Array = secret) =>
  Buffer.from(hkdfSync('sha256', from, '', info, bytes))
const key = derive('moost-wf/v1/A256GCM', 32)
const kid = derive('moost-wf/v1/kid', 6).toString('base64url')
const HEADER = { alg: 'dir', enc: 'A256GCM', kid }

const b64 = (value: Buffer | string) => Buffer.from(value).toString('base64url')

/** Seals anything under the right key: what someone could do who has it, or a bug of ours. */
function forge(plain: Buffer | string, header: unknown = HEADER, withKey: Buffer = key): string {
  const segment = b64(typeof header === 'string' ? header : JSON.stringify(header))
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', withKey, iv).setAAD(Buffer.from(segment))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return `${segment}..${b64(iv)}.${b64(sealed)}.${b64(cipher.getAuthTag())}`
}

const now = clock.now()
const payload = { v: 1, n: '', jti: 'a', iat: now, exp: now + 60_000, s: state }
const forgePayload = (changes: object) => forge(JSON.stringify({ ...payload, ...changes }))

const token = await build().persist(state)
const other = await build().persist({ ...state, context: { user: 'eve', tries: 0 } })
const [header = '', , iv = '', ciphertext = '', tag = ''] = token.split('.')
const otherSegments = other.split('.')

const replaceSegment = (index: number, segment: string) =>
  token
    .split('.')
    .map((old, i) => (i === index ? segment : old))
    .join('.')

/** The next letter of the alphabet: the same bytes, with unused bits set. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const withUnusedBit = (segment: string) =>
  segment.slice(0, -1) + ALPHABET[ALPHABET.indexOf(segment.at(-1) ?? '') + 1]

/** Node's decoder looks at the lower eight bits only. */
function widen(segment: string): string {
  return String.fromCharCode(segment.charCodeAt(0) + 0x100) + segment.slice(1)
}

const headerAttack = (changes: object) => forge(JSON.stringify(payload), { ...HEADER, ...changes })

const attacks: Record<string, unknown> = {
  'a number': 7,
  null: null,
  undefined: undefined,
  'an object': { toString: () => token },
  'an array': [token],
  'a String object': Object(token),
  empty: '',
  'four segments': token.split('.').slice(0, 4).join('.'),
  'six segments': `${token}.AA`,
  'an empty sixth segment': `${token}.`,
  dots: '.'.repeat(3000),
  'five million dots': '.'.repeat(5_000_000),
  'NUL at the end': `${token}\0`,
  'NUL between': token.replace('..', '.\0.'),
  'non-ASCII': `${token.slice(0, -1)}é`,
  'a full-width letter': token.replace('.', '．'),
  'over length': `${header}..${iv}.${'A'.repeat(4000)}.${tag}`,
  'an encrypted key': replaceSegment(1, 'AAAA'),
  'an empty iv': replaceSegment(2, ''),
  'a short iv': replaceSegment(2, iv.slice(0, 12)),
  'a long iv': replaceSegment(2, `${iv}AAAA`),
  'an empty tag': replaceSegment(4, ''),
  'a short tag': replaceSegment(4, tag.slice(0, 16)),
  'a tag of 12 bytes': replaceSegment(4, tag.slice(0, 16)),
  'an empty ciphertext': replaceSegment(3, ''),
  'the iv of another': replaceSegment(2, otherSegments[2] ?? ''),
  'the ciphertext of another': replaceSegment(3, otherSegments[3] ?? ''),
  'the tag of another': replaceSegment(4, otherSegments[4] ?? ''),
  'iv and tag swapped': `${header}..${tag}.${ciphertext}.${iv}`,
  'a trailing newline': `${token}\n`,
  'a trailing space': `${token} `,
  'a leading space': ` ${token}`,
  'white space in the ciphertext': replaceSegment(
    3,
    `${ciphertext.slice(0, 8)}\n${ciphertext.slice(8)}`,
  ),
  'white space in the iv': replaceSegment(2, `${iv.slice(0, 8)} ${iv.slice(8)}`),
  'padding behind the tag': `${token}==`,
  'padding behind the ciphertext': replaceSegment(3, `${ciphertext}=`),
  'an unused bit in the tag': replaceSegment(4, withUnusedBit(tag)),
  'an unused bit in the ciphertext': replaceSegment(3, withUnusedBit(ciphertext)),
  'a wide character in the iv': replaceSegment(2, widen(iv)),
  'a wide character in the ciphertext': replaceSegment(3, widen(ciphertext)),
  'a wide character in the tag': replaceSegment(4, widen(tag)),
  'a ciphertext of wide characters': replaceSegment(3, [...ciphertext].map(widen).join('')),
  'reordered header': forge(JSON.stringify(payload), { enc: 'A256GCM', alg: 'dir', kid }),
  'duplicate header key': forge(
    JSON.stringify(payload),
    `{"alg":"dir","alg":"dir","enc":"A256GCM","kid":"${kid}"}`,
  ),
  'header with white space': forge(
    JSON.stringify(payload),
    `{"alg":"dir", "enc":"A256GCM","kid":"${kid}"}`,
  ),
  'header of one letter': forge(JSON.stringify(payload), 'x'),
  'alg none': headerAttack({ alg: 'none' }),
  'alg A256KW': headerAttack({ alg: 'A256KW' }),
  'alg A256GCMKW': headerAttack({ alg: 'A256GCMKW' }),
  'alg PBES2 with p2c 1e9': headerAttack({ alg: 'PBES2-HS256+A128KW', p2c: 1e9, p2s: 'AAAA' }),
  'alg RSA-OAEP': headerAttack({ alg: 'RSA-OAEP' }),
  'enc A128GCM': headerAttack({ enc: 'A128GCM' }),
  'enc A256CBC-HS512': headerAttack({ enc: 'A256CBC-HS512' }),
  'an unknown crit': headerAttack({ crit: ['exp'], exp: 1 }),
  'an empty crit': headerAttack({ crit: [] }),
  'a forged zip': headerAttack({ zip: 'DEF' }),
  'an authenticated bomb': forge(deflateRawSync(Buffer.alloc(50_000_000, 32)), {
    ...HEADER,
    zip: 'DEF',
  }),
  'kid unknown': headerAttack({ kid: 'AAAAAAAA' }),
  'kid __proto__': headerAttack({ kid: '__proto__' }),
  'kid an object': headerAttack({ kid: { toString: kid } }),
  'kid missing': headerAttack({ kid: undefined }),
  'kid empty': headerAttack({ kid: '' }),
  'kid relabelled': forge(JSON.stringify(payload), HEADER, randomBytes(32)),
  'a JWS in its place': await new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'HS256' })
    .sign(key),
  'exp missing': forgePayload({ exp: undefined }),
  'exp a string': forgePayload({ exp: String(now + 60_000) }),
  'exp NaN': forge(JSON.stringify(payload).replace(String(now + 60_000), 'NaN')),
  'exp null': forgePayload({ exp: null }),
  'exp 0': forgePayload({ exp: 0 }),
  'exp now': forgePayload({ exp: now }),
  'exp in seconds': forgePayload({ exp: Math.floor((now + 60_000) / 1000) }),
  'exp endless': forge(JSON.stringify(payload).replace(String(now + 60_000), '1e999')),
  'another format version': forgePayload({ v: 2 }),
  'another strategy': await build().forName('other').persist(state),
  'another purpose': await build({ purpose: 'tenant-2' }).persist(state),
  'another secret': await build({ secret: randomBytes(32) }).persist(state),
  'no JSON': forge('{'),
  'no UTF-8': forge(
    Buffer.concat([Buffer.from('{"v":1,"x":"'), Buffer.from([0xff]), Buffer.from('"}')]),
  ),
  'valid JSON in no UTF-8': forge(Buffer.from(JSON.stringify({ ...payload, x: 'é' }), 'latin1')),
  'an array inside': forge('[]'),
  'null inside': forge('null'),
  'a text inside': forge('"x"'),
  'nothing inside': forge(' '),
  'no state': forgePayload({ s: undefined }),
  'no schemaId': forgePayload({ s: { indexes: [1], context: {} } }),
  'indexes that are none': forgePayload({ s: { ...state, indexes: 'x' } }),
  'meta that is none': forgePayload({ s: { ...state, meta: 7 } }),
  'no jti': forgePayload({ jti: undefined }),
}

/** Those that only a decryption can tell from a good token. */
const authenticated =
  /of another$|relabelled|^exp |version|another (strategy|purpose)|inside$|JSON|UTF-8|^no |indexes|meta/u

describe.each(Object.entries(engines))('encapsulated tokens on %s', (_engine, cipher) => {
  const strategy = build({ cipher })

  it('open when they are whole', async () => {
    expect(await strategy.retrieve(token)).toEqual(state)
    expect(await strategy.retrieve(forge(JSON.stringify(payload)))).toEqual(state)
  })

  it.each(Object.entries(attacks))('do not open: %s', async (_title, attack) => {
    expect(await strategy.retrieve(attack as string)).toBeNull()
    expect(await strategy.consume(attack as string)).toBeNull()
    expect(await strategy.peek(attack as string)).toHaveProperty('refusal')
  })

  it('do not open when they are cut at any offset', async () => {
    for (let end = 0; end < token.length; end++) {
      expect(await strategy.retrieve(token.slice(0, end))).toBeNull()
    }
  })

  it('do not open when any character is another', async () => {
    for (let at = 0; at < token.length; at++) {
      const flipped = token[at] === 'A' ? 'B' : 'A'
      expect(await strategy.retrieve(token.slice(0, at) + flipped + token.slice(at + 1))).toBeNull()
    }
  })

  it('have an iv of their own each, however many are written', async () => {
    const writers = [build({ cipher }), build({ cipher })]
    const count = scaled(1000, 20_000)
    const ivs = new Set<string | undefined>()
    for (let i = 0; i < count; i++) {
      for (const writer of writers) ivs.add((await writer.persist(state)).split('.')[2])
    }
    expect(ivs.size).toBe(2 * count)
  })

  it('have one spelling: the other base64 alphabet does not open', async () => {
    const withLetter = (letter: string) => async () => {
      for (;;) {
        const candidate = await strategy.persist(state)
        if (candidate.slice(header.length).includes(letter)) return candidate
      }
    }
    const dash = await withLetter('-')()
    const line = await withLetter('_')()
    const respell = (text: string, from: string, to: string) => {
      const at = text.indexOf(from, header.length)
      return text.slice(0, at) + to + text.slice(at + 1)
    }
    expect(await strategy.retrieve(dash)).not.toBeNull()
    expect(await strategy.retrieve(respell(dash, '-', '+'))).toBeNull()
    expect(await strategy.retrieve(respell(line, '_', '/'))).toBeNull()
  })

  it('open with every other engine', async () => {
    for (const otherCipher of Object.values(engines)) {
      for (const compress of [false, true]) {
        const reader = build({ cipher, compress: true })
        const written = await build({ cipher: otherCipher, compress }).persist(state)
        expect(await reader.retrieve(written)).toEqual(state)
      }
    }
  })

  it('that are compressed open only where compression is on, and not beyond the cap', async () => {
    const compressing = build({ cipher, compress: true })
    const compressed = await compressing.persist(state)
    expect(await strategy.retrieve(compressed)).toBeNull()
    const bomb = JSON.stringify({ ...payload, s: { ...state, context: ' '.repeat(500_000) } })
    const forged = forge(deflateRawSync(bomb), { ...HEADER, zip: 'DEF' })
    expect(forged.length).toBeLessThan(3900)
    expect(await compressing.retrieve(forged)).toBeNull()
  })

  it('that hold more than a reader inflates are not written', async () => {
    const compressing = build({ cipher, compress: true })
    const context = { text: 'x'.repeat(400_000) }
    expect(await compressing.fits({ ...state, context })).toBe(false)
    await expect(compressing.persist({ ...state, context })).rejects.toMatchObject({
      code: 'WF_STATE_TOO_LARGE',
    })
  })

  it('cost no decryption before the cheap gates are passed', async () => {
    onTestFinished(() => void vi.restoreAllMocks())
    await strategy.retrieve(token)
    const spies = [
      vi.spyOn(crypto, 'createDecipheriv'),
      vi.spyOn(globalThis.crypto.subtle, 'decrypt'),
    ]
    const count = () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
    const cheap = Object.entries(attacks).filter(([title]) => !authenticated.test(title))
    expect(cheap.length).toBeGreaterThan(40)
    for (const [title, attack] of cheap) {
      await strategy.retrieve(attack as string)
      expect(count(), title).toBe(0)
    }
    await strategy.retrieve(token)
    expect(count()).toBe(1)
  })

  it('never open after random changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.nat(3),
        fc.string({
          maxLength: 3,
          unit: fc.constantFrom(...ALPHABET, '.', '=', '+', '/', ' ', ...[...ALPHABET].map(widen)),
        }),
        async (at, removed, inserted) => {
          const changed = token.slice(0, at) + inserted + token.slice(at + removed)
          if (changed !== token) expect(await strategy.retrieve(changed)).toBeNull()
        },
      ),
      { numRuns: scaled(100_000, 200_000) },
    )
  })

  it('give back any context that JSON can hold', async () => {
    const roomy = build({ cipher, maxTokenLength: 1e6 })
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async context => {
        const written = await roomy.persist({ ...state, context })
        const read = await roomy.retrieve(written)
        expect(JSON.stringify(read?.context)).toBe(JSON.stringify(context))
      }),
      { numRuns: scaled(500, 5000) },
    )
  })

  it('rotate: older keys decrypt, the first encrypts, and the next pause moves on', async () => {
    const newer = randomBytes(32)
    const rotated = build({ cipher, secret: [newer, secret] })
    const claim = await rotated.claim(token, { admit: () => null })
    if (isRefusal(claim)) throw new Error(claim.refusal)
    const next = delivered(await claim.pause(state, { audience: 'caller' }, async raw => raw))
    expect(await build({ cipher, secret: newer }).retrieve(next)).toEqual(state)
    expect(await build({ cipher }).retrieve(next)).toBeNull()
    const keys = await rotated.keys()
    expect(keys.map(({ current }) => current)).toEqual([true, false])
    expect(keys[1]?.kid).toBe(kid)
    expect(keys[0]?.kid).toMatch(/^[\w-]{8}$/u)
  })

  it('show no key, plaintext or token in errors or print', async () => {
    const secrets = [secret.toString('hex'), secret.toString('base64'), key.toString('hex'), 'ada']
    const shown = [
      inspect(strategy, { depth: 20, showHidden: true }),
      JSON.stringify(strategy),
      inspect(await strategy.claim(token, { admit: () => null }), { depth: 20 }).replace(
        /'ada'/u,
        '',
      ),
    ]
    const big = await strategy
      .persist({ ...state, context: { ada: 'hunter2'.repeat(1e4) } })
      .catch(String)
    expect(String(big)).not.toContain('hunter2')
    for (const text of shown) for (const hidden of secrets) expect(text).not.toContain(hidden)
  })
})

describe('jose itself', () => {
  it('opens what we write, and writes what we open', async () => {
    const written = await new CompactEncrypt(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader(HEADER as never)
      .encrypt(key)
    for (const cipher of Object.values(engines)) {
      expect(await build({ cipher }).retrieve(written)).toEqual(state)
    }
  })
})
