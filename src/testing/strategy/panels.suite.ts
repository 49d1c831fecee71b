import { expect } from 'vitest'
import {
  isRefusal,
  type WfClaim,
  type WfPeek,
  type WfRefusal,
  type WfSeatMessage,
  type WfStateStrategy,
} from '../../state'
import { casesUnless } from '../excused-cases'
import { race } from '../race'
import { claim, newFlow, type OpenStrategy, type StrategyLacks } from './opened-strategy'

const unreachable = () => expect.unreachable()

/** A flow that asks several people, and the last token of each. */
async function asking(strategy: WfStateStrategy, people = ['ada', 'bob', 'cleo']) {
  const { flowId, of } = newFlow()
  const tokens: Record<string, string> = {}
  const messageTo = (seat: string): WfSeatMessage => ({
    seat,
    message: { outlet: 'email', request: { outlet: 'email', target: `${seat}@example.com` } },
    prepare: raw => void (tokens[seat] = raw),
  })
  const begun = (await strategy.begin!(of(), {})) as WfClaim
  const each = people.map(messageTo)
  const paused = await begun.pause(of(), { audience: 'out-of-band', each }, unreachable)
  expect(paused.outcome).toBe('queued')
  const peek = async (seat: string) => (await strategy.peek!(tokens[seat]!)) as WfPeek | WfRefusal
  const claimFor = async (seat: string) => (await claim(strategy, tokens[seat]!)) as WfClaim
  /** Who can answer. */
  const live = async () => {
    const all = await Promise.all(
      Object.keys(tokens).map(async seat => (isRefusal(await peek(seat)) ? [] : [seat])),
    )
    return all.flat().toSorted()
  }
  return { flowId, of, tokens, messageTo, peek, claimFor, live }
}

export function describePanels(open: OpenStrategy, lacks: StrategyLacks): void {
  const itIfPanels = casesUnless('describeStateStrategy', lacks)('claims', 'panels')

  itIfPanels(
    'gives each of several people a token of their own, which says whose it is',
    async () => {
      const { strategy } = await open()
      expect(strategy.guarantees?.panels).toBe(true)
      const { peek, tokens, claimFor } = await asking(strategy)
      expect(new Set(Object.values(tokens)).size).toBe(3)
      for (const seat of Object.keys(tokens)) expect(await peek(seat)).toMatchObject({ seat })
      expect((await claimFor('bob')).seat).toBe('bob')
    },
  )

  itIfPanels('lets all tokens live when one has answered, and the pause stays', async () => {
    const { strategy } = await open()
    const { of, peek, claimFor, live } = await asking(strategy)
    await (await claimFor('ada')).stay?.(of(2))
    expect(await live()).toEqual(['ada', 'bob', 'cleo'])
    expect(await peek('bob')).toMatchObject({ seat: 'bob', state: { context: 2 } })
  })

  itIfPanels('ends a token and makes one for somebody else, when the pause stays', async () => {
    const { strategy } = await open()
    const { of, claimFor, messageTo, live, tokens } = await asking(strategy)
    const former = tokens.cleo!
    const each = [messageTo('dan'), messageTo('cleo')]
    await (await claimFor('ada')).stay?.(of(2), { each, ended: ['bob'] })
    expect(await live()).toEqual(['ada', 'cleo', 'dan'])
    expect(isRefusal(await strategy.peek!(former))).toBe(true)
    expect((await claimFor('dan')).seat).toBe('dan')
  })

  itIfPanels('ends all tokens when the flow pauses otherwise, or ends', async () => {
    const { strategy } = await open()
    const first = await asking(strategy)
    const next = { audience: 'caller' } as const
    await (await first.claimFor('ada')).pause(first.of(2), next, raw => raw)
    expect(await first.live()).toEqual([])
    const second = await asking(strategy)
    await (await second.claimFor('bob')).finish({})
    expect(await second.live()).toEqual([])
  })

  itIfPanels('lets one after another answer who come at the same moment', async () => {
    const { strategy } = await open()
    const { of, claimFor, peek } = await asking(strategy)
    const seats = ['ada', 'bob', 'cleo', 'ada', 'bob', 'cleo']
    const answers = await race(seats.length, async index => {
      const taken = await claimFor(seats[index]!)
      if (isRefusal(taken)) return taken
      await taken.stay?.(of(Number(taken.state.context) + 1 || 1))
      return 'noted'
    })
    expect(new Set(answers)).toEqual(new Set(['noted']))
    expect(await peek('ada')).toMatchObject({ state: { context: seats.length } })
  })

  itIfPanels('gives the part of one of them a new token, and never all of them one', async () => {
    const { strategy } = await open()
    const { flowId, live, tokens, peek } = await asking(strategy)
    const former = tokens.bob!
    const reissue = async (seat: string | undefined) =>
      strategy.reissue!(flowId, {
        seat,
        admit: found => found,
        deliver: raw => void (tokens[seat ?? 'all'] = raw),
      })
    expect(await reissue(undefined)).toBeNull()
    expect(await reissue('eve')).toBeNull()
    expect(await reissue('bob')).not.toBeNull()
    expect(tokens.bob).not.toBe(former)
    expect(isRefusal(await strategy.peek!(former))).toBe(true)
    expect(await peek('bob')).toMatchObject({ seat: 'bob' })
    expect(await live()).toEqual(['ada', 'bob', 'cleo'])
  })
}
