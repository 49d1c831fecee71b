import { randomBytes } from 'node:crypto'
import {
  defineOutletConfig,
  EncapsulatedStateStrategy,
  outletEmail,
  type WfState,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop'
import { PublicEncapsulatedStateStrategy, PublicHandleStateStrategy } from './strategies'

/** Sends a link, and uses it twice. */
async function sendLink(state: Shop['config']['state']) {
  const shop = await openShop({ state })
  shop.onName = input => (input ? undefined : outletEmail('ada@example.com', 'invite'))
  const sent = await shop.send({ wfid: 'shop/gift' })
  const use = () => shop.send({ wfs: shop.mails[0]?.token, input: { name: 'Ada' } })
  return { sent, uses: shop.mails[0] ? [await use(), await use()] : [] }
}

const statuses = ({ uses }: Awaited<ReturnType<typeof sendLink>>) => uses.map(use => use.status)

describe('a strategy of the public packages', () => {
  it('may send links if its store takes states out', async () => {
    const handle = new PublicHandleStateStrategy({ store: new WfStateStoreMemory() })
    const link = await sendLink(handle)
    expect(link.sent.body).toEqual({ sent: true, outlet: 'email' })
    expect(statuses(link)).toEqual([200, 410])
  })

  it('may do so under a name of a registry, beside others', async () => {
    const handle = new PublicHandleStateStrategy({ store: new WfStateStoreMemory() })
    const encapsulated = new PublicEncapsulatedStateStrategy({ secret: randomBytes(32) })
    const link = await sendLink({ strategies: { handle, encapsulated }, default: 'handle' })
    expect(statuses(link)).toEqual([200, 410])
  })

  it('may not if its tokens can be replayed', async () => {
    const { sent } = await sendLink(
      new PublicEncapsulatedStateStrategy({ secret: randomBytes(32) }),
    )
    expect(sent.status).toBe(500)
  })

  it('is taken at the word of the registry entry that vouches for it', async () => {
    const { persist, retrieve, consume } = bound(
      new PublicHandleStateStrategy({ store: new WfStateStoreMemory() }),
    )
    const silent = { persist, retrieve, consume }
    expect((await sendLink(silent)).sent.status).toBe(500)
    const guarantees = { singleUse: true, revocable: true }
    const vouched = { strategies: { silent: { strategy: silent, guarantees } }, default: 'silent' }
    expect(statuses(await sendLink(vouched))).toEqual([200, 410])
  })
})

describe('what only looks like a promise', () => {
  const secret = randomBytes(32)

  it('a strategy in front of another is asked itself, whatever its field is called', async () => {
    class SingleUse {
      readonly guarantees = { singleUse: true, revocable: true }
      readonly #used = new Set<string>()
      constructor(readonly strategy: PublicEncapsulatedStateStrategy) {}
      persist(state: WfState) {
        return this.strategy.persist(state)
      }
      async retrieve(token: string) {
        return this.#used.has(token) ? null : this.strategy.retrieve(token)
      }
      async consume(token: string) {
        const state = await this.retrieve(token)
        this.#used.add(token)
        return state
      }
    }
    const link = await sendLink(new SingleUse(new PublicEncapsulatedStateStrategy({ secret })))
    expect(statuses(link)).toEqual([200, 410])
  })

  it('an entry cannot vouch for what a strategy denies', async () => {
    const strategy = new EncapsulatedStateStrategy({ secret })
    const guarantees = { singleUse: true, revocable: true }
    const state = { strategies: { token: { strategy, guarantees } }, default: 'token' } as const
    expect(() => defineOutletConfig({ state })).toThrow(
      expect.objectContaining({ code: 'WF_CONFIG' }),
    )
  })

  it('a store of another kind says nothing about tokens', async () => {
    const inner = new PublicEncapsulatedStateStrategy({ secret })
    const odd = {
      store: { getAndDelete: () => undefined },
      persist: (state: WfState) => inner.persist(state),
      retrieve: (token: string) => inner.retrieve(token),
      consume: (token: string) => inner.consume(token),
    }
    expect((await sendLink(odd)).sent.status).toBe(500)
  })
})

function bound(strategy: PublicHandleStateStrategy) {
  return {
    persist: strategy.persist.bind(strategy),
    retrieve: strategy.retrieve.bind(strategy),
    consume: strategy.consume.bind(strategy),
  }
}
