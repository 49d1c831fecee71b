import { HandleStateStrategy, WfError, type WfState, WfStateStoreMemory } from '@atscript/moost-wf'
import { isRefusal } from '@atscript/moost-wf/strategies'
import { describe, expect, it } from 'vitest'
import { notesOf, systemClock } from '../../src/state'
import { delivered } from '../support/paused'
import { completeStrategy } from '../../src/strategies/registry/complete-strategy'
import { FakeClock, race } from '@atscript/moost-wf/testing'

const state = (n = 1): WfState => ({ schemaId: 'flow', indexes: [0], context: { n } })
const anyone = { admit: () => null }

function build(options: Partial<ConstructorParameters<typeof HandleStateStrategy>[0]> = {}) {
  const clock = new FakeClock()
  const store = new WfStateStoreMemory({ clock })
  return { clock, store, strategy: new HandleStateStrategy({ store, ...options }) }
}

async function claimed(strategy: HandleStateStrategy, token: string) {
  const claim = await strategy.claim(token, anyone)
  if (isRefusal(claim)) throw new Error(claim.refusal)
  return claim
}

describe('HandleStateStrategy', () => {
  it('hands out UUIDs unless it is told how to make a handle', async () => {
    expect(await build().strategy.persist(state())).toMatch(
      /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/u,
    )
    expect(await build({ generateHandle: () => 'h' }).strategy.persist(state())).toBe('h')
  })

  it('reads without taking, and takes once', async () => {
    const { strategy } = build()
    const token = await strategy.persist(state())
    expect(await strategy.retrieve(token)).toEqual(state())
    expect(await strategy.consume(token)).toEqual(state())
    expect(await strategy.consume(token)).toBeNull()
    expect(await strategy.retrieve(token)).toBeNull()
  })

  it('expires by its default, by the ttl of a pause, and at once by 0 or less', async () => {
    const { strategy, clock } = build({ defaultTtl: 100 })
    const byDefault = await strategy.persist(state())
    const longer = await strategy.persist(state(), { ttl: 200 })
    expect(await strategy.retrieve(await strategy.persist(state(), { ttl: 0 }))).toBeNull()
    expect(await strategy.retrieve(await strategy.persist(state(), { ttl: -1 }))).toBeNull()
    clock.advance(99)
    expect(await strategy.retrieve(byDefault)).not.toBeNull()
    clock.advance(1)
    expect(await strategy.retrieve(byDefault)).toBeNull()
    expect(await strategy.consume(longer)).not.toBeNull()
  })

  it('writes under the same handle when the public trigger hints at it', async () => {
    const { strategy } = build()
    const token = await strategy.persist(state(1))
    expect(await strategy.persist(state(2), {}, { handle: token })).toBe(token)
    expect(await strategy.retrieve(token)).toEqual(state(2))
  })

  it('asks before it takes, and leaves what is refused', async () => {
    const { strategy } = build()
    const token = await strategy.persist(state())
    const refusal = await strategy.claim(token, { admit: () => ({ refusal: 'not-allowed' }) })
    expect(refusal).toEqual({ refusal: 'not-allowed' })
    expect(await strategy.retrieve(token)).toEqual(state())
  })

  it('tells a second caller to wait while the first is at work', async () => {
    const { strategy } = build()
    const token = await strategy.persist(state())
    const claim = await claimed(strategy, token)
    expect(await strategy.claim(token, anyone)).toEqual({ refusal: 'busy' })
    await claim.release()
    expect(isRefusal(await strategy.claim(token, anyone))).toBe(false)
  })

  it('tells those who lose a race to wait, not that the token is gone', async () => {
    const { strategy } = build()
    const token = await strategy.persist(state())
    const claims = await race(20, () => strategy.claim(token, anyone))
    const refusals = claims.filter(isRefusal).map(({ refusal }) => refusal)
    expect(refusals).toEqual(Array(19).fill('busy'))
  })

  it.each(['release', 'fail'] as const)('%s puts the state back with its expiry', async end => {
    const { strategy, store, clock } = build()
    const token = await strategy.persist(state(), { ttl: 50 })
    const claim = await claimed(strategy, token)
    clock.advance(20)
    await claim[end](new Error())
    expect(await store.get(token)).toMatchObject({ state: state(), expiresAt: clock.now() + 30 })
  })

  it("fail discards the state with onError: 'discard', release does not", async () => {
    const { strategy } = build({ onError: 'discard' })
    const token = await strategy.persist(state())
    await (await claimed(strategy, token)).release()
    await (await claimed(strategy, token)).fail(new Error())
    expect(await strategy.retrieve(token)).toBeNull()
  })

  it('expires by the fallback of a pause only where nobody else says when', async () => {
    const pause = { audience: 'caller', fallbackTtl: 50 } as const
    const until = async (options: object, more: object = {}) => {
      const { strategy, clock } = build(options)
      const claim = await strategy.begin(state())
      const left = async (_raw: string, end?: number) => end! - clock.now()
      return delivered(await claim.pause(state(), { ...pause, ...more }, left))
    }
    expect(await until({})).toBe(50)
    expect(await until({ defaultTtl: 100 })).toBe(100)
    expect(await until({}, { ttl: 70 })).toBe(70)
    expect(await until({}, { atMost: 30 })).toBe(30)
  })

  it('notes what went wrong when a step failed, and nothing when a request was refused', async () => {
    const { strategy, clock } = build()
    const wf = { flowId: 'f', seq: 1, startedAt: 1 }
    const token = await strategy.persist({ ...state(), meta: { wf } })
    const problemOf = async () => notesOf((await strategy.retrieve(token))!)?.pause?.problem
    await (await claimed(strategy, token)).release()
    expect(await problemOf()).toBeUndefined()
    const at = clock.now()
    const refused = new WfError('WF_DB_ROW', 'The secret is 42.')
    await (await claimed(strategy, token)).fail(refused)
    await (await claimed(strategy, token)).fail(refused)
    expect(await problemOf()).toEqual({ code: 'WF_DB_ROW', at, times: 2 })
    await (await claimed(strategy, token)).fail(new Error('The secret is 42.'))
    expect(await problemOf()).toEqual({ code: 'WF_INTERNAL', at, times: 1 })
  })

  it('puts a state back without the note rather than not at all', async () => {
    const { store, strategy } = build()
    const wf = { flowId: 'f', seq: 1, startedAt: 1 }
    const token = await strategy.persist({ ...state(), meta: { wf } })
    const claim = await claimed(strategy, token)
    const { set } = store
    store.set = (handle, next, ...rest) =>
      notesOf(next)?.pause?.problem
        ? Promise.reject(new Error('too large'))
        : set.call(store, handle, next, ...rest)
    await claim.fail(new Error('down'))
    expect(await strategy.retrieve(token)).toEqual({ ...state(), meta: { wf } })
  })

  it.each([false, true])(
    'is where it was when a delivery fails after its own link has expired (stable: %s)',
    async stable => {
      const { strategy, clock } = build({ stable })
      const token = await strategy.persist(state(1))
      const claim = await claimed(strategy, token)
      const audience = 'out-of-band'
      const failing = claim.pause(state(2), { audience, ttl: 10 }, async () => {
        clock.advance(20)
        throw new Error('too late')
      })
      await expect(failing).rejects.toThrow('too late')
      expect(await strategy.retrieve(token)).toMatchObject(state(1))
    },
  )

  it('a pause has its row before its token is delivered, and a new handle', async () => {
    const { strategy } = build()
    const token = await strategy.persist(state(1))
    const claim = await claimed(strategy, token)
    const next = await claim.pause(state(2), { audience: 'caller' }, async raw => {
      expect(await strategy.retrieve(raw)).toEqual(state(2))
      return raw
    })
    expect(next).not.toBe(token)
    expect(await strategy.retrieve(token)).toBeNull()
  })

  it('a pause that is not delivered leaves the old token alive and the new one dead', async () => {
    const { strategy } = build()
    const token = await strategy.persist(state(1))
    let dead = ''
    const claim = await claimed(strategy, token)
    const pause = claim.pause(state(2), { audience: 'out-of-band' }, async raw => {
      dead = raw
      throw new Error('undeliverable')
    })
    await expect(pause).rejects.toThrow('undeliverable')
    expect(await strategy.retrieve(dead)).toBeNull()
    expect(await strategy.consume(token)).toEqual(state(1))
  })

  it.each([{}, { store: {} }, { store: null }])('refuses %j for options', options => {
    expect(() => new HandleStateStrategy(options as never)).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG' }),
    )
  })

  it.each([
    { defaultTtl: 0 },
    { defaultTtl: NaN },
    { onError: 'ignore' },
    { generateHandle: 7 },
    { stable: 'no' },
    { clock: {} },
    { store: { getAndDelete: () => null } },
  ])('refuses %j', options => {
    const store = new WfStateStoreMemory()
    expect(() => new HandleStateStrategy({ store, ...(options as object) })).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG' }),
    )
  })

  it.each([undefined, null, 7, {}, ''])('takes %j for no token', async token => {
    const { strategy } = build()
    expect(await strategy.retrieve(token as never)).toBeNull()
    expect(await strategy.consume(token as never)).toBeNull()
  })
})

describe('a stable handle', () => {
  const raw = async (r: string) => r

  it('stays while the caller goes on, with a version that cannot be told from the one before', async () => {
    const { strategy } = build({ stable: true, generateHandle: () => 'h' })
    const first = await strategy.persist(state(1))
    const claim = await claimed(strategy, first)
    const second = delivered(await claim.pause(state(2), { audience: 'caller' }, raw))
    for (const token of [first, second]) expect(token).toMatch(/^h~[\w-]{16}$/u)
    expect(second).not.toBe(first)
    expect(await strategy.peek(first)).toMatchObject({ refusal: 'superseded', current: second })
    expect(await strategy.claim(first, anyone)).toMatchObject({ refusal: 'superseded' })
    expect(await strategy.retrieve(second)).toMatchObject({ context: { n: 2 } })
  })

  it('that an earlier version has counted goes on, and counts no more', async () => {
    const { strategy, store } = build({ stable: true })
    await store.set('h', { ...state(1), meta: { handleVersion: 2 } })
    for (const token of ['h~1', 'h~3', `h~${'2'.repeat(16)}`]) {
      expect(await strategy.peek(token)).toMatchObject({ refusal: 'superseded', current: 'h~2' })
    }
    const claim = await claimed(strategy, 'h~2')
    const next = delivered(await claim.pause(state(2), { audience: 'caller' }, raw))
    expect(next).toMatch(/^h~[\w-]{16}$/u)
    expect(await strategy.retrieve('h~3')).toBeNull()
  })

  it('is replaced in a pause for someone else', async () => {
    const handles = ['caller', 'recipient']
    const { strategy } = build({ stable: true, generateHandle: () => handles.shift() ?? '' })
    const claim = await claimed(strategy, await strategy.persist(state(1)))
    const token = delivered(await claim.pause(state(2), { audience: 'out-of-band' }, raw))
    expect(token).toMatch(/^recipient~/u)
    expect(await strategy.retrieve(token.replace('recipient', 'caller'))).toBeNull()
  })

  it('is back at its version when a pause is not delivered', async () => {
    const { strategy } = build({ stable: true })
    const token = await strategy.persist(state(1))
    const claim = await claimed(strategy, token)
    const pause = claim.pause(state(2), { audience: 'caller' }, () => Promise.reject(new Error()))
    await expect(pause).rejects.toThrow()
    expect(await strategy.consume(token)).toMatchObject({ context: { n: 1 } })
  })

  it('that was written again in between is put back', async () => {
    const { store } = build()
    const strategy = new HandleStateStrategy({ store, stable: true, generateHandle: () => 'h' })
    const first = await strategy.persist(state(1))
    let second: Promise<string> | undefined
    const refused = await strategy.claim(first, {
      admit: () => {
        second = strategy.persist(state(2), {}, { handle: first })
        return null
      },
    })
    expect(refused).toMatchObject({ refusal: 'superseded' })
    expect(await strategy.retrieve((await second)!)).toMatchObject({ context: { n: 2 } })
  })

  it.each(['h', 'h~', 'h~0', 'h~01', 'h~-1', 'h~1.0', 'h~1 ', '~1', `h~${'9'.repeat(30)}`])(
    'of an earlier version has one spelling only: %j is refused',
    async token => {
      const { strategy, store } = build({ stable: true })
      await store.set('h', { ...state(), meta: { handleVersion: 1 } })
      expect(await strategy.retrieve(token)).toBeNull()
      expect(await strategy.retrieve('h~1')).not.toBeNull()
    },
  )

  it.each<[string, (token: string) => string]>([
    ['a space', token => `${token} `],
    ['a line end', token => `${token}\n`],
    ['one character less', token => token.slice(0, -1)],
    ['one more', token => `${token}A`],
    ['another case', token => token.toUpperCase()],
    ['no version', token => token.slice(0, token.indexOf('~'))],
    ['two versions', token => `${token}~1`],
  ])('has one spelling only: with %s it is refused', async (_what, change) => {
    const { strategy } = build({ stable: true, generateHandle: () => 'h' })
    const token = await strategy.persist(state())
    expect(await strategy.retrieve(change(token))).toBeNull()
    expect(await strategy.retrieve(token)).not.toBeNull()
  })
})

describe('a strategy with the public three methods only', () => {
  function foreign() {
    const { strategy, ...rest } = build()
    const { persist, retrieve, consume } = strategy
    const bare = {
      persist: persist.bind(strategy),
      retrieve: retrieve.bind(strategy),
      consume: consume.bind(strategy),
    }
    return { strategy: completeStrategy(bare, systemClock), bare, ...rest }
  }

  it('gets claims: refused ones are left, taken ones go once', async () => {
    const { strategy } = foreign()
    const token = await strategy.persist(state())
    const refused = await strategy.claim(token, { admit: () => ({ refusal: 'mismatch' }) })
    expect(refused).toEqual({ refusal: 'mismatch' })
    const claims = await Promise.all([1, 2, 3].map(() => strategy.claim(token, anyone)))
    expect(claims.filter(claim => !isRefusal(claim))).toHaveLength(1)
    expect(await strategy.peek(token)).toEqual({ refusal: 'gone' })
  })

  it.each(['release', 'fail'] as const)('%s puts the state back under its token', async end => {
    const { strategy } = foreign()
    const token = await strategy.persist(state())
    const claim = await strategy.claim(token, anyone)
    if (isRefusal(claim)) throw new Error()
    await claim[end](new Error())
    expect(await strategy.retrieve(token)).toEqual(state())
  })

  it('an undelivered pause leaves only the old token', async () => {
    const { strategy } = foreign()
    const token = await strategy.persist(state())
    const claim = await strategy.claim(token, anyone)
    if (isRefusal(claim)) throw new Error()
    let dead = ''
    const pause = claim.pause(state(2), { audience: 'caller' }, async raw => {
      dead = raw
      throw new Error('no')
    })
    await expect(pause).rejects.toThrow('no')
    expect(await strategy.retrieve(dead)).toBeNull()
    expect(await strategy.retrieve(token)).toEqual(state())
  })

  it('gets a state back with what is left of its time', async () => {
    const expiresAt = Date.now() + 60_000
    const wf = { flowId: 'f', seq: 1, startedAt: 1, expiresAt }
    const timed = async () => ({ ...state(), meta: { wf } })
    const ttls: (number | undefined)[] = []
    const strategy = completeStrategy(
      {
        persist: async (_state, options) => `t${ttls.push(options?.ttl)}`,
        retrieve: timed,
        consume: timed,
      },
      systemClock,
    )
    const claim = await strategy.claim('t', anyone)
    if (isRefusal(claim)) throw new Error(claim.refusal)
    await claim.release()
    expect(ttls[0]).toBeGreaterThan(0)
    expect(ttls[0]).toBeLessThanOrEqual(60_000)
  })
})

describe('a stable handle in two processes', () => {
  it('goes on where someone has used a pause before its delivery failed', async () => {
    const store = new WfStateStoreMemory()
    const one = new HandleStateStrategy({ store, stable: true })
    const other = new HandleStateStrategy({ store, stable: true })
    const first = await one.persist(state(1))
    const claim = await one.claim(first, anyone)
    if (isRefusal(claim)) throw new Error(claim.refusal)
    let third = ''
    const error = new Error('too late')
    const paused = await claim.pause(state(2), { audience: 'caller' }, async second => {
      const next = await other.claim(second, anyone)
      if (isRefusal(next)) throw new Error(next.refusal)
      third = delivered(await next.pause(state(3), { audience: 'caller' }, async raw => raw))
      throw error
    })
    expect(paused).toEqual({ outcome: 'stands', error })
    expect(await one.retrieve(first)).toBeNull()
    expect(await one.retrieve(third)).toMatchObject(state(3))
  })
})
