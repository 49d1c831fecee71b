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

export function describeClaims(open: OpenStrategy, lacks: StrategyLacks): void {
  const unless = casesUnless('describeStateStrategy', lacks)
  const itIfClaims = unless('claims')
  const itIfBoth = unless('claims', 'singleUse')
  const itIfRunKeys = unless('claims', 'runKeys')

  itIfClaims('asks before it takes, and leaves what is refused', async () => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith())
    const refused = await strategy.claim?.(token, {
      admit: peek => {
        expect(peek.state).toEqual(stateWith())
        return { refusal: 'not-allowed' }
      },
    })
    expect(refused).toEqual({ refusal: 'not-allowed' })
    expect(await strategy.consume(token)).toEqual(stateWith())
  })

  itIfClaims('says why it refuses', async () => {
    const { strategy } = await open()
    expect(await strategy.peek?.('x')).toHaveProperty('refusal')
    expect(await claim(strategy, 'x')).toHaveProperty('refusal')
  })

  itIfBoth('cannot be claimed twice at once', async () => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith())
    const claims = await race(100, () => claim(strategy, token))
    expect(claims.filter(one => !isRefusal(one))).toHaveLength(1)
  })

  itIfClaims('gives the state back as it was, whatever a run has done to it', async () => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith({ list: [1] }))
    const taken = (await claim(strategy, token)) as WfClaim
    ;(taken.state.context as { list: number[] }).list.push(2)
    await taken.release()
    expect(await strategy.consume(token)).toEqual(stateWith({ list: [1] }))
  })

  itIfBoth('is over when the flow has finished', async () => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith())
    await ((await claim(strategy, token)) as WfClaim).finish({ data: { ok: true } })
    expect(await strategy.retrieve(token)).toBeNull()
  })

  itIfBoth('is over when the flow goes on in another strategy', async () => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith())
    await ((await claim(strategy, token)) as WfClaim).handOver()
    expect(await strategy.retrieve(token)).toBeNull()
  })

  itIfClaims('says when it will try again after a failure, or gives the state back', async () => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith())
    const retry = await ((await claim(strategy, token)) as WfClaim).fail(new Error('broken'))
    if (retry) expect(retry.retryAt).toBeTypeOf('number')
    else expect(withoutProblem(await strategy.retrieve(token))).toEqual(stateWith())
  })

  itIfRunKeys('begins one run per key at a time', async () => {
    const { strategy } = await open()
    const begin = () => strategy.begin!(stateWith(), { runKey: 'ada' })
    const begun = (await race(20, async () => begin())).filter(one => !isRefusal(one))
    expect(begun).toHaveLength(1)
    expect(await begin()).toMatchObject({ refusal: 'taken' })
    expect(isRefusal(await strategy.begin!(stateWith(), { runKey: 'bob' }))).toBe(false)
    await (begun[0] as WfClaim).finish({})
    expect(isRefusal(await begin())).toBe(false)
  })
}
