import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { build, state } from '../../support/tokens'

describe('secrets', () => {
  const bytes = randomBytes(32)
  const good: [string, unknown][] = [
    ['bytes', bytes],
    ['a plain Uint8Array', new Uint8Array(bytes)],
    ['more bytes', randomBytes(64)],
    ['a KeyObject', createSecretKey(bytes)],
    ['64 hex', bytes.toString('hex')],
    ['64 HEX', bytes.toString('hex').toUpperCase()],
    ['base64', bytes.toString('base64')],
    ['base64url', bytes.toString('base64url')],
  ]
  it.each(good)('can be %s', async (_form, form) => {
    const strategy = build({ secret: form as Buffer })
    expect(await strategy.retrieve(await strategy.persist(state))).toEqual(state)
  })

  it('mean the same in every form', async () => {
    const written = await build({ secret: bytes }).persist(state)
    for (const form of [bytes.toString('hex'), bytes.toString('base64'), createSecretKey(bytes)]) {
      expect(await build({ secret: form }).retrieve(written)).toEqual(state)
    }
  })

  const bad: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['an empty text', ''],
    ['a password', 'correct horse battery staple correct horse'],
    ['31 bytes', randomBytes(31)],
    ['no bytes', new Uint8Array()],
    ['63 hex', bytes.toString('hex').slice(1)],
    ['66 hex', `${bytes.toString('hex')}ab`],
    ['hex with junk', `${bytes.toString('hex').slice(0, 63)}g`],
    ['hex with a newline', `${bytes.toString('hex')}\n`],
    ['64 characters of base64', randomBytes(48).toString('base64')],
    ['base64 with unused bits', `${bytes.toString('base64url').slice(0, 42)}B`],
    ['both base64 alphabets', `+_${'A'.repeat(40)}A`],
    ['base64 with double padding', `${bytes.toString('base64url')}==`],
    ['zeros', new Uint8Array(32)],
    ['an empty list', []],
    ['a list with a bad one', [bytes, 'x']],
    ['duplicates', [bytes, bytes]],
    ['duplicates in disguise', [bytes, bytes.toString('hex')]],
    ['a public key object', { type: 'public', export: () => bytes }],
  ]
  it.each(bad)('cannot be %s', (_form, form) => {
    expect(() => build({ secret: form as Buffer })).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG' }),
    )
  })

  it('that are refused are not shown, and the message says how to make one', () => {
    const attempt = () => build({ secret: 'my-secret-that-is-too-short' })
    expect(attempt).toThrow(/randomBytes\(32\)/u)
    expect(attempt).not.toThrow(/too-short/u)
  })
})
