import { expect } from 'vitest'
import type { WfClaim } from '../../state'
import { casesUnless } from '../excused-cases'
import {
  claimed,
  delivered,
  type OpenStrategy,
  stateWith,
  type StrategyLacks,
  withoutProblem,
} from './opened-strategy'

export function describePauses(open: OpenStrategy, lacks: StrategyLacks): void {
  const unless = casesUnless('describeStateStrategy', lacks)
  const itIfClaims = unless('claims')
  const itIfBoth = unless('claims', 'singleUse')

  itIfClaims('pauses a flow that has just begun', async () => {
    const { strategy } = await open()
    const begun = (await strategy.begin?.(stateWith(0), {})) as WfClaim
    const token = delivered(await begun.pause(stateWith(1), { audience: 'caller' }, raw => raw))
    expect(await strategy.retrieve(token)).toMatchObject({ context: 1 })
  })

  itIfClaims('says so when a pause was delivered, whether or not one has to wait', async () => {
    const { strategy } = await open()
    for (const deliver of [() => 'here', async () => 'here']) {
      const { pause } = await claimed(strategy)
      const paused = await pause(stateWith(2), { audience: 'caller' }, deliver)
      expect(paused).toEqual({ outcome: 'delivered', delivered: 'here' })
    }
  })

  itIfClaims('has stored the next state before its token is delivered', async () => {
    const { strategy } = await open()
    const { pause } = await claimed(strategy)
    await pause(stateWith(2), { audience: 'caller', ttl: 1000 }, async (raw, expiresAt) => {
      expect(await strategy.retrieve(raw)).toMatchObject({ context: 2 })
      expect(expiresAt).toBeTypeOf('number')
    })
  })

  itIfBoth('has one live token after a pause: the new one', async () => {
    const { strategy } = await open()
    const { token, pause } = await claimed(strategy)
    const next = delivered(await pause(stateWith(2), { audience: 'caller' }, async raw => raw))
    expect(await strategy.retrieve(token)).toBeNull()
    expect(await strategy.consume(next)).toMatchObject({ context: 2 })
  })

  itIfBoth('has one live token after a pause that was not delivered: the old one', async () => {
    const { strategy } = await open()
    const { token, pause } = await claimed(strategy)
    let undelivered = ''
    const failing = async () =>
      pause(stateWith(2), { audience: 'out-of-band' }, async raw => {
        undelivered = raw
        throw new Error('undeliverable')
      })
    await expect(failing()).rejects.toThrow('undeliverable')
    expect(await strategy.retrieve(undelivered)).toBeNull()
    expect(withoutProblem(await strategy.consume(token))).toEqual(stateWith())
  })

  itIfBoth('goes on with the new token if that was used before its delivery failed', async () => {
    const { strategy } = await open()
    const { token, pause } = await claimed(strategy)
    const error = new Error('too late')
    const paused = await pause(stateWith(2), { audience: 'out-of-band' }, async raw => {
      expect(await strategy.consume(raw)).toMatchObject({ context: 2 })
      throw error
    })
    expect(paused).toEqual({ outcome: 'stands', error })
    expect(await strategy.retrieve(token)).toBeNull()
  })
}
