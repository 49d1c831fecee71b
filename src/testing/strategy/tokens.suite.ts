import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import type { WfState } from '../../state'
import { CONTEXTS } from '../contexts'
import { casesUnless } from '../excused-cases'
import { race } from '../race'
import { titled } from '../shown'
import { type OpenStrategy, stateWith, type StrategyLacks } from './opened-strategy'

const NO_TOKENS = [undefined, null, 7, {}, [], '', ' ', '.', 'x', '\u0000', 'x'.repeat(1e6)]

export function describeTokens(open: OpenStrategy, lacks: StrategyLacks): void {
  const unless = casesUnless('describeStateStrategy', lacks)
  const itIfSingleUse = unless('singleUse')

  it.each(CONTEXTS)('gives back what it was given: %s', async (_title, context) => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith(context))
    expect(await strategy.retrieve(token)).toEqual(stateWith(context))
    expect(await strategy.retrieve(token)).toEqual(stateWith(context))
    expect(await strategy.consume(token)).toEqual(stateWith(context))
  })

  it('issues tokens that fit into a URL and a cookie as they are', async () => {
    const { strategy } = await open()
    expect(await strategy.persist(stateWith())).toMatch(/^[\w.~-]+$/u)
  })

  it('issues a token of its own for each state', async () => {
    const { strategy } = await open()
    const tokens = await race(50, () => strategy.persist(stateWith()))
    expect(new Set(tokens).size).toBe(50)
  })

  it('keeps a copy', async () => {
    const { strategy } = await open()
    const mine = stateWith({ list: [1] })
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
    const token = await strategy.persist(stateWith(), { ttl: 1000 })
    clock.advance(999)
    expect(await strategy.retrieve(token)).not.toBeNull()
    clock.advance(1)
    expect(await strategy.retrieve(token)).toBeNull()
    expect(await strategy.consume(token)).toBeNull()
  })

  it.each([0, -1, -1e12])('takes a ttl of %i for expired', async ttl => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith(), { ttl })
    expect(await strategy.consume(token)).toBeNull()
  })

  it('shows neither state nor token when it is printed', async () => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith({ secret: 'hunter2' }))
    const shown = `${inspect(strategy, { depth: 20, showHidden: true })}${JSON.stringify(strategy)}`
    expect(shown).not.toContain(token)
    expect(shown).not.toContain('hunter2')
  })

  itIfSingleUse('gives a state away once', async () => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith())
    expect(await strategy.consume(token)).toEqual(stateWith())
    expect(await strategy.consume(token)).toBeNull()
    expect(await strategy.retrieve(token)).toBeNull()
  })

  itIfSingleUse('lets exactly one of 100 racing consumers win', async () => {
    const { strategy } = await open()
    const token = await strategy.persist(stateWith())
    const winners = await race(100, () => strategy.consume(token))
    expect(winners.filter(Boolean)).toHaveLength(1)
  })
}
