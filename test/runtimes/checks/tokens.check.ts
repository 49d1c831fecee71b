import { isRefusal } from '@atscript/moost-wf/strategies'
import { describe, expect, inject, it } from 'vitest'
import { CIPHERS, openTokens, SEALED_STATE } from '../inside/sealed-tokens'

const given = Object.entries(inject('gifts')).flatMap(([runtime, { tokens }]) =>
  tokens.map(sealed => ({ runtime, ...sealed })),
)

describe('a token', () => {
  it('is given, or nothing of this would be tested', () => {
    expect(given.length).toBeGreaterThan(0)
  })
})

describe.each(Object.keys(CIPHERS))('the cipher %s', name => {
  it.each(given)(
    'opens what $runtime has sealed with $cipher (compressed: $compressed)',
    async ({ token, compressed }) => {
      const strategy = openTokens(name, compressed)
      expect(await strategy.retrieve(token)).toMatchObject(SEALED_STATE)
      expect(isRefusal(await strategy.peek(token))).toBe(false)
      expect(await strategy.consume(token)).toMatchObject(SEALED_STATE)
    },
  )

  it.each(given)(
    'refuses what was changed in a token of $runtime, $cipher (compressed: $compressed)',
    async ({ token, compressed }) => {
      const strategy = openTokens(name, compressed)
      for (const at of [0, token.length >> 1, token.length - 2]) {
        const other = token[at] === 'A' ? 'B' : 'A'
        const changed = `${token.slice(0, at)}${other}${token.slice(at + 1)}`
        expect(await strategy.retrieve(changed)).toBeNull()
        expect(await strategy.consume(changed)).toBeNull()
      }
    },
  )
})
