import { FakeClock } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { build, state } from '../../support/tokens'

describe('persisting', () => {
  it.each([
    ['a BigInt', { a: { b: 1n } }, /context\.a\.b is a BigInt/u],
    ['a cycle', cyclic(), /context\.self refers to something that contains it/u],
    ['nothing', undefined, /context is undefined/u],
    ['a function', () => 1, /context is function/u],
  ])('refuses %s and names it', async (_title, context, message) => {
    const attempt = build().persist({ ...state, context })
    await expect(attempt).rejects.toMatchObject({ code: 'WF_STATE_INVALID' })
    await expect(attempt).rejects.toThrow(message)
  })

  it('refuses a state that is too large, naming the largest paths and no value', async () => {
    const context = {
      small: 1,
      profile: { photo: 'hunter2'.repeat(1000), name: 'x' },
      log: ['y'.repeat(900)],
    }
    const attempt = build().persist({ ...state, context })
    await expect(attempt).rejects.toMatchObject({ code: 'WF_STATE_TOO_LARGE' })
    await expect(attempt).rejects.toThrow(
      /context\.profile\.photo \(7002 characters\), context\.log\[\] \(902/u,
    )
    await expect(attempt).rejects.not.toThrow(/hunter2/u)
  })

  it('refuses a ttl that is longer than tokens may live', async () => {
    await expect(build().persist(state, { ttl: 31 * 24 * 3600_000 })).rejects.toMatchObject({
      code: 'WF_CONFIG',
    })
    await expect(build().persist(state, { ttl: NaN })).rejects.toMatchObject({ code: 'WF_CONFIG' })
  })

  it.each([
    { defaultTtl: 0 },
    { maxTtl: -1 },
    { maxTokenLength: NaN },
    { maxTokenLength: 4000.5 },
    { maxTokenLength: 1e9 },
    { defaultTtl: 2, maxTtl: 1 },
    { purpose: 7 },
  ])('refuses the options %j', options => {
    expect(() => build(options as object)).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
  })

  it('by default expires after half an hour', async () => {
    const own = new FakeClock()
    const strategy = build({ clock: own })
    const written = await strategy.persist(state)
    own.advance(30 * 60_000 - 1)
    expect(await strategy.retrieve(written)).not.toBeNull()
    own.advance(1)
    expect(await strategy.retrieve(written)).toBeNull()
    expect(await strategy.peek(written)).toMatchObject({ refusal: 'expired' })
  })
})

function cyclic() {
  const context: Record<string, unknown> = {}
  context.self = context
  return context
}
