import { expect } from 'vitest'
import { isRefusal, type WfClaim } from '../../state'
import { casesUnless } from '../excused-cases'
import { race } from '../race'
import {
  claim,
  type OpenStrategy,
  stateWith,
  type StrategyLacks,
  withoutProblem,
} from './opened-strategy'

export function describeStays(open: OpenStrategy, lacks: StrategyLacks): void {
  const unless = casesUnless('describeStateStrategy', lacks)
  const itIfClaims = unless('claims')
  const itIfStays = unless('claims', 'stays')

  itIfClaims('promises that tokens live on if its claims can, and only then', async () => {
    const { strategy } = await open()
    const taken = (await claim(strategy, await strategy.persist(stateWith()))) as WfClaim
    expect(Boolean(strategy.guarantees?.stays)).toBe(taken.stay !== undefined)
  })

  itIfStays('keeps the next state under the same token, with the same end', async () => {
    const { strategy, clock } = await open()
    const token = await strategy.persist(stateWith(), { ttl: 1000 })
    clock.advance(400)
    await ((await claim(strategy, token)) as WfClaim).stay?.(stateWith(2))
    expect(await strategy.retrieve(token)).toMatchObject({ context: 2 })
    clock.advance(599)
    expect(await strategy.retrieve(token)).toMatchObject({ context: 2 })
    clock.advance(1)
    expect(await strategy.retrieve(token)).toBeNull()
  })

  itIfStays('is where it was if the next state cannot be stored', async () => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith())
    const taken = (await claim(strategy, token)) as WfClaim
    const staying = async () => taken.stay?.(stateWith({ huge: 1n }))
    await expect(staying()).rejects.toThrow()
    expect(withoutProblem(await strategy.consume(token))).toEqual(stateWith())
  })

  itIfStays('lets one of many go on from a token that has stayed', async () => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith())
    await ((await claim(strategy, token)) as WfClaim).stay?.(stateWith(2))
    const claims = await race(100, () => claim(strategy, token))
    const [winner, ...others] = claims.filter(one => !isRefusal(one))
    expect(others).toEqual([])
    expect((winner as WfClaim).state).toMatchObject({ context: 2 })
  })
}
