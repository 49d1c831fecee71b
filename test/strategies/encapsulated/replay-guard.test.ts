import { type WfState, WfLedgerMemory } from '@atscript/moost-wf'
import { type EncapsulatedStateStrategyOptions, isRefusal } from '@atscript/moost-wf/strategies'
import { FakeClock, race } from '@atscript/moost-wf/testing'
import { describe, expect, it, vi } from 'vitest'
import { build, clock, state } from '../../support/tokens'
import { delivered } from '../../support/paused'

describe('the replay guard', () => {
  const meta = { wf: { flowId: 'flow-1', seq: 1, startedAt: clock.now() } }
  const flow: WfState = { ...state, meta }

  function guarded(options: Partial<EncapsulatedStateStrategyOptions> = {}) {
    const replay = new WfLedgerMemory({ clock })
    return { replay, strategy: build({ replay, ...options }) }
  }

  it('promises what it holds', () => {
    expect(guarded().strategy.guarantees).toEqual({
      singleUse: true,
      revocable: true,
      stays: false,
    })
    expect(build().guarantees).toEqual({ singleUse: false, revocable: false, stays: false })
  })

  it('refuses a second use, a concurrent one and an older step', async () => {
    const { strategy } = guarded()
    const first = await strategy.persist(flow)
    const winners = await race(50, async () => strategy.claim(first, { admit: () => null }))
    const [claim, ...more] = winners.filter(winner => !isRefusal(winner))
    expect(more).toEqual([])
    if (!claim || isRefusal(claim)) throw new Error('nobody won')
    const second = delivered(await claim.pause(flow, { audience: 'caller' }, async raw => raw))
    expect(await strategy.consume(second)).toEqual(flow)
    expect(await strategy.consume(first)).toBeNull()
    expect(await strategy.peek(first)).toMatchObject({ refusal: 'used' })
  })

  it('lets a released token work again, once', async () => {
    const { strategy } = guarded()
    const token = await strategy.persist(flow)
    const claim = await strategy.claim(token, { admit: () => null })
    if (isRefusal(claim)) throw new Error(claim.refusal)
    await claim.release()
    expect(await strategy.consume(token)).toEqual(flow)
    expect(await strategy.consume(token)).toBeNull()
  })

  it('revokes every token of a flow, also later ones, and no other flow', async () => {
    const { strategy } = guarded()
    const tokens = [await strategy.persist(flow), await strategy.persist(flow)]
    const foreign = await strategy.persist({ ...flow, meta: { wf: { ...meta.wf, flowId: 'f2' } } })
    await strategy.revokeFlow('flow-1')
    for (const one of [...tokens, await strategy.persist(flow)]) {
      expect(await strategy.peek(one)).toMatchObject({ refusal: 'revoked' })
      expect(await strategy.consume(one)).toBeNull()
    }
    expect(await strategy.consume(foreign)).not.toBeNull()
  })

  it('asks a ledger again that stumbles while it gives a token back', async () => {
    const { strategy, replay } = guarded()
    const token = await strategy.persist(flow)
    const claim = await strategy.claim(token, { admit: () => null })
    if (isRefusal(claim)) throw new Error(claim.refusal)
    vi.spyOn(replay, 'restore').mockRejectedValueOnce(new Error('down'))
    await claim.release()
    vi.restoreAllMocks()
    expect(await strategy.consume(token)).toEqual(flow)
  })

  it('remembers longer than tokens live, for a ledger whose clock is ahead', async () => {
    const [ours, theirs] = [new FakeClock(), new FakeClock()]
    theirs.advance(120_000)
    const strategy = build({ clock: ours, replay: new WfLedgerMemory({ clock: theirs }) })
    const token = await strategy.persist(flow, { ttl: 60_000 })
    await strategy.consume(token)
    ours.advance(59_000)
    theirs.advance(59_000)
    expect(await strategy.consume(token)).toBeNull()
  })

  it('says so when there is none', async () => {
    await expect(build().revokeFlow('f')).rejects.toMatchObject({ code: 'WF_CONFIG' })
  })

  it.each(['get', 'spend'] as const)(
    'accepts nothing while its ledger fails in %s',
    async method => {
      const { strategy, replay } = guarded()
      const token = await strategy.persist(flow)
      vi.spyOn(replay, method).mockRejectedValue(new Error('the ledger is down'))
      await expect(strategy.consume(token)).rejects.toThrow('the ledger is down')
      vi.restoreAllMocks()
      expect(await strategy.consume(token)).toEqual(flow)
    },
  )
})
