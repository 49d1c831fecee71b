import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  flowMetaOf,
  isRefusal,
  type WfClaim,
  type WfFlowMeta,
  type WfState,
  type WfStateStrategy,
  withFlowMeta,
} from '../state'
import { CONTEXTS } from './contexts'
import { casesUnless } from './excused-cases'
import { race } from './race'
import { titled } from './shown'

/** A strategy that is to be tested, and the clock that decides what has expired in it. */
export interface OpenedStrategy {
  readonly strategy: WfStateStrategy
  readonly clock: { advance(ms: number): void }
}

/** What a strategy may lack, each with the reason, which is printed. */
export interface StrategyLacks {
  /** A token can be used more than once. */
  readonly singleUse?: string | undefined
  /** It has no `peek`, `begin` and `claim` of its own. */
  readonly claims?: string | undefined
}

export interface StateStrategySuite {
  readonly name: string
  /** Called for each test. */
  open(): OpenedStrategy | Promise<OpenedStrategy>
  readonly lacks?: StrategyLacks | undefined
}

const NO_TOKENS = [undefined, null, 7, {}, [], '', ' ', '.', 'x', '\u0000', 'x'.repeat(1e6)]

const state = (context: unknown = { step: 1 }): WfState => ({
  schemaId: 'suite/flow',
  indexes: [0, 2],
  context,
  meta: { wf: { flowId: 'f', seq: 1, startedAt: 1 } },
})

/**
 * The conformance suite of state strategies, for vitest. A strategy that passes it works under
 * `handleAsOutletRequest`.
 *
 * @example
 * ```ts
 * import { HandleStateStrategy, WfStateStoreMemory } from '@atscript/moost-wf'
 * import { describeStateStrategy, FakeClock } from '@atscript/moost-wf/testing'
 *
 * describeStateStrategy({
 *   name: 'handle, in memory',
 *   open: () => {
 *     const clock = new FakeClock()
 *     const store = new WfStateStoreMemory({ clock })
 *     return { strategy: new HandleStateStrategy({ store }), clock }
 *   },
 * })
 * ```
 */
export function describeStateStrategy({ name, open, lacks = {} }: StateStrategySuite): void {
  const unless = casesUnless('describeStateStrategy', lacks)
  const itIfSingleUse = unless('singleUse')
  const itIfClaims = unless('claims')
  const itIfBoth = unless('claims', 'singleUse')

  describe(`state strategy: ${name}`, () => {
    it.each(CONTEXTS)('gives back what it was given: %s', async (_title, context) => {
      const { strategy } = await open()
      const token = await strategy.persist(state(context))
      expect(await strategy.retrieve(token)).toEqual(state(context))
      expect(await strategy.retrieve(token)).toEqual(state(context))
      expect(await strategy.consume(token)).toEqual(state(context))
    })

    it('issues tokens that fit into a URL and a cookie as they are', async () => {
      const { strategy } = await open()
      expect(await strategy.persist(state())).toMatch(/^[\w.~-]+$/u)
    })

    it('issues a token of its own for each state', async () => {
      const { strategy } = await open()
      const tokens = await race(50, () => strategy.persist(state()))
      expect(new Set(tokens).size).toBe(50)
    })

    it('keeps a copy', async () => {
      const { strategy } = await open()
      const mine = state({ list: [1] })
      const token = await strategy.persist(mine)
      ;(mine.context as { list: number[] }).list.push(2)
      const read = (await strategy.retrieve(token)) as WfState
      expect(read.context).toEqual({ list: [1] })
    })

    it.each(titled(NO_TOKENS))('has nothing for the token %s', async (_title, token) => {
      const { strategy } = await open()
      expect(await strategy.retrieve(token as string)).toBeNull()
      expect(await strategy.consume(token as string)).toBeNull()
    })

    it('expires at the moment, not after it', async () => {
      const { strategy, clock } = await open()
      const token = await strategy.persist(state(), { ttl: 1000 })
      clock.advance(999)
      expect(await strategy.retrieve(token)).not.toBeNull()
      clock.advance(1)
      expect(await strategy.retrieve(token)).toBeNull()
      expect(await strategy.consume(token)).toBeNull()
    })

    it.each([0, -1, -1e12])('takes a ttl of %i for expired', async ttl => {
      const { strategy } = await open()
      const token = await strategy.persist(state(), { ttl })
      expect(await strategy.consume(token)).toBeNull()
    })

    it('shows neither state nor token when it is printed', async () => {
      const { strategy } = await open()
      const token = await strategy.persist(state({ secret: 'hunter2' }))
      const shown = `${inspect(strategy, { depth: 20, showHidden: true })}${JSON.stringify(strategy)}`
      expect(shown).not.toContain(token)
      expect(shown).not.toContain('hunter2')
    })

    itIfSingleUse('gives a state away once', async () => {
      const { strategy } = await open()
      const token = await strategy.persist(state())
      expect(await strategy.consume(token)).toEqual(state())
      expect(await strategy.consume(token)).toBeNull()
      expect(await strategy.retrieve(token)).toBeNull()
    })

    itIfSingleUse('lets exactly one of 100 racing consumers win', async () => {
      const { strategy } = await open()
      const token = await strategy.persist(state())
      const winners = await race(100, () => strategy.consume(token))
      expect(winners.filter(Boolean)).toHaveLength(1)
    })

    itIfClaims('asks before it takes, and leaves what is refused', async () => {
      const { strategy } = await open()
      const token = await strategy.persist(state())
      const refused = await strategy.claim?.(token, {
        admit: peek => {
          expect(peek.state).toEqual(state())
          return { refusal: 'not-allowed' }
        },
      })
      expect(refused).toEqual({ refusal: 'not-allowed' })
      expect(await strategy.consume(token)).toEqual(state())
    })

    itIfClaims('says why it refuses', async () => {
      const { strategy } = await open()
      expect(await strategy.peek?.('x')).toHaveProperty('refusal')
      expect(await claim(strategy, 'x')).toHaveProperty('refusal')
    })

    itIfClaims('pauses a flow that has just begun', async () => {
      const { strategy } = await open()
      const begun = (await strategy.begin?.(state(0), {})) as WfClaim
      const token = await begun.pause(state(1), { audience: 'caller' }, async raw => raw)
      expect(await strategy.retrieve(token)).toMatchObject({ context: 1 })
    })

    itIfClaims('has stored the next state before its token is delivered', async () => {
      const { strategy } = await open()
      const { pause } = await claimed(strategy)
      await pause(state(2), { audience: 'caller', ttl: 1000 }, async (raw, expiresAt) => {
        expect(await strategy.retrieve(raw)).toMatchObject({ context: 2 })
        expect(expiresAt).toBeTypeOf('number')
      })
    })

    itIfBoth('has one live token after a pause: the new one', async () => {
      const { strategy } = await open()
      const { token, pause } = await claimed(strategy)
      const next = await pause(state(2), { audience: 'caller' }, async raw => raw)
      expect(await strategy.retrieve(token)).toBeNull()
      expect(await strategy.consume(next)).toMatchObject({ context: 2 })
    })

    itIfBoth('has one live token after a pause that was not delivered: the old one', async () => {
      const { strategy } = await open()
      const { token, pause } = await claimed(strategy)
      let undelivered = ''
      const failing = pause(state(2), { audience: 'out-of-band' }, async raw => {
        undelivered = raw
        throw new Error('undeliverable')
      })
      await expect(failing).rejects.toThrow('undeliverable')
      expect(await strategy.retrieve(undelivered)).toBeNull()
      expect(withoutProblem(await strategy.consume(token))).toEqual(state())
    })

    itIfBoth('goes on with the new token if that was used before its delivery failed', async () => {
      const { strategy } = await open()
      const { token, pause } = await claimed(strategy)
      const failing = pause(state(2), { audience: 'out-of-band' }, async raw => {
        expect(await strategy.consume(raw)).toMatchObject({ context: 2 })
        throw new Error('too late')
      })
      await expect(failing).rejects.toThrow('too late')
      expect(await strategy.retrieve(token)).toBeNull()
    })

    itIfBoth('cannot be claimed twice at once', async () => {
      const { strategy } = await open()
      const token = await strategy.persist(state())
      const claims = await race(100, () => claim(strategy, token))
      expect(claims.filter(one => !isRefusal(one))).toHaveLength(1)
    })

    itIfClaims('gives the state back as it was, whatever a run has done to it', async () => {
      const { strategy } = await open()
      const token = await strategy.persist(state({ list: [1] }))
      const taken = (await claim(strategy, token)) as WfClaim
      ;(taken.state.context as { list: number[] }).list.push(2)
      await taken.release()
      expect(await strategy.consume(token)).toEqual(state({ list: [1] }))
    })

    itIfBoth('is over when the flow has finished', async () => {
      const { strategy } = await open()
      const token = await strategy.persist(state())
      await ((await claim(strategy, token)) as WfClaim).finish(undefined)
      expect(await strategy.retrieve(token)).toBeNull()
    })
  })
}

function claim(strategy: WfStateStrategy, token: string) {
  return strategy.claim!(token, { admit: () => null })
}

async function claimed(strategy: WfStateStrategy) {
  const token = await strategy.persist(state())
  const taken = (await claim(strategy, token)) as WfClaim
  return { token, pause: taken.pause.bind(taken) as WfClaim['pause'] }
}

/** A strategy may note why a state could not go on; the rest of it is as it was. */
function withoutProblem(state: WfState | null): WfState | null {
  const flow = state && flowMetaOf(state)
  return flow?.problem ? withFlowMeta(state!, state!.meta, omitProblem(flow)) : state
}

function omitProblem({ problem: _problem, ...flow }: WfFlowMeta): WfFlowMeta {
  return flow
}
