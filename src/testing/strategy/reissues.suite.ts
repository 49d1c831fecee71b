import { expect } from 'vitest'
import {
  isRefusal,
  notesOf,
  type WfClaim,
  type WfPeek,
  type WfState,
  type WfStateStrategy,
  withNotes,
} from '../../state'
import { casesUnless } from '../excused-cases'
import { race } from '../race'
import { claim, delivered, newFlow, type OpenStrategy, type StrategyLacks } from './opened-strategy'

const same = (found: WfPeek) => found

export function describeReissues(open: OpenStrategy, lacks: StrategyLacks): void {
  const itIfReissues = casesUnless('describeStateStrategy', lacks)('claims', 'reissue')

  itIfReissues('gives the present pause of a flow a new token, and kills the old one', async () => {
    const { strategy } = await open()
    const { flowId, of } = newFlow()
    const old = await strategy.persist(of())
    const { token } = await reissued(strategy, flowId)
    expect(token).not.toBe(old)
    expect(await strategy.retrieve(old)).toBeNull()
    expect(await claim(strategy, old)).toHaveProperty('refusal')
    expect(await strategy.consume(token)).toEqual(of())
  })

  itIfReissues('lets an expired pause live again, as long as it is told', async () => {
    const { strategy, clock } = await open()
    const { flowId, of } = newFlow()
    const old = await strategy.persist(of(), { ttl: 1000 })
    clock.advance(1000)
    let end = 0
    const { token } = await reissued(strategy, flowId, found => {
      end = found.expiresAt! + 500
      return { ...found, expiresAt: end }
    })
    expect(await strategy.retrieve(old)).toBeNull()
    expect(await strategy.peek!(token)).toMatchObject({ expiresAt: end })
    clock.advance(499)
    expect(await strategy.retrieve(token)).not.toBeNull()
    clock.advance(1)
    expect(await strategy.retrieve(token)).toBeNull()
  })

  itIfReissues('stores what it is told, before the token is delivered', async () => {
    const { strategy } = await open()
    const { flowId, of } = newFlow()
    await strategy.persist(of())
    const noted = (state: WfState) => {
      const notes = notesOf(state)!
      return withNotes(state, { ...notes, pause: { ...notes.pause, outlet: 'sms' } })
    }
    await strategy.reissue!(flowId, {
      admit: ({ state }) => ({ state: noted(state) }),
      deliver: async raw => expect(await strategy.retrieve(raw)).toEqual(noted(of())),
    })
    expect.assertions(1)
  })

  itIfReissues(
    'leaves all as it is where it is not admitted, or there is no such flow',
    async () => {
      const { strategy } = await open()
      const { flowId, of } = newFlow()
      const token = await strategy.persist(of())
      const deliver = () => expect.unreachable()
      expect(await strategy.reissue!(flowId, { admit: () => null, deliver })).toBeNull()
      expect(await strategy.reissue!('none', { admit: same, deliver })).toBeNull()
      expect(await strategy.consume(token)).toEqual(of())
    },
  )

  itIfReissues('has nothing of a flow that has ended, or is being worked on', async () => {
    const { strategy } = await open()
    const { flowId, of } = newFlow()
    const taken = (await claim(strategy, await strategy.persist(of()))) as WfClaim
    const options = { admit: same, deliver: () => expect.unreachable() }
    expect(await strategy.reissue!(flowId, options)).toBeNull()
    await taken.finish({})
    expect(await strategy.reissue!(flowId, options)).toBeNull()
  })

  itIfReissues('is undone if the new token cannot be delivered', async () => {
    const { strategy } = await open()
    const { flowId, of } = newFlow()
    const old = await strategy.persist(of())
    let undelivered = ''
    const reissue = async () =>
      strategy.reissue!(flowId, {
        admit: found => ({ ...found, expiresAt: 1 }),
        deliver: raw => {
          undelivered = raw
          throw new Error('undeliverable')
        },
      })
    await expect(reissue()).rejects.toThrow('undeliverable')
    expect(await strategy.retrieve(undelivered)).toBeNull()
    expect(await strategy.consume(old)).toEqual(of())
  })

  itIfReissues(
    'goes on with the new token if that was used before its delivery failed',
    async () => {
      const { strategy } = await open()
      const { flowId, of } = newFlow()
      const old = await strategy.persist(of())
      const reissue = async () =>
        strategy.reissue!(flowId, {
          admit: same,
          deliver: async raw => {
            expect(await strategy.consume(raw)).toEqual(of())
            throw new Error('too late')
          },
        })
      await expect(reissue()).rejects.toThrow('too late')
      expect(await strategy.retrieve(old)).toBeNull()
    },
  )

  itIfReissues('has one live token, however many ask for one at once', async () => {
    const { strategy } = await open()
    const { flowId, of } = newFlow()
    await strategy.persist(of())
    const tokens = await race(10, async () => {
      const outcome = await reissued(strategy, flowId).catch(() => undefined)
      return outcome?.token
    })
    const live = await Promise.all(
      tokens.filter(token => token !== undefined).map(token => strategy.retrieve(token)),
    )
    expect(live.filter(Boolean)).toHaveLength(1)
  })

  itIfReissues('gives a token that pauses, once', async () => {
    const { strategy } = await open()
    const { flowId, of } = newFlow()
    await strategy.persist(of())
    const { token } = await reissued(strategy, flowId)
    const claims = await race(20, () => claim(strategy, token))
    const [winner, ...others] = claims.filter(one => !isRefusal(one)) as WfClaim[]
    expect(others).toEqual([])
    const next = delivered(await winner!.pause(of(2), { audience: 'caller' }, raw => raw))
    expect(await strategy.retrieve(token)).toBeNull()
    expect(await strategy.consume(next)).toMatchObject({ context: 2 })
  })
}

/** Gives a flow a new token. */
async function reissued(
  strategy: WfStateStrategy,
  flowId: string,
  admit: (found: WfPeek) => WfPeek = same,
) {
  let token = ''
  const outcome = await strategy.reissue!(flowId, {
    admit,
    deliver: raw => {
      token = raw
    },
  })
  expect(outcome).not.toBeNull()
  return { token }
}
