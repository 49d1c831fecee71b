import {
  createWfRunner,
  HandleStateStrategy,
  outletEmail,
  outletHttp,
  type WfState,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import { FakeClock } from '@atscript/moost-wf/testing'
import { useResponse } from '@atscript/moost-wf/http'
import { describe, expect, it } from 'vitest'
import { notesOf } from '../../src/state'
import { openShop } from '../support/shop'
import { WholeStrategy } from '../support/whole-strategy'

const handleIn = (token: string) => token.slice('default.'.length)

describe('notes that were damaged', () => {
  const damages: Record<string, (wf: Record<string, unknown>) => unknown> = {
    'the pause is null': wf => ({ ...wf, pause: null }),
    'the position is a text': wf => ({ ...wf, position: 'x' }),
    'the flow has a text for a number': wf => ({
      ...wf,
      flow: { ...(wf.flow as object), seq: '1' },
    }),
    'they are a text': () => 'x',
    'they are null': () => null,
  }

  it.each(Object.entries(damages))('let nobody go on: %s', async (_title, damage) => {
    const shop = await openShop()
    shop.onName = input =>
      input ? undefined : outletEmail('ada@example.com', 'x', {}, { link: 'sameBrowser' })
    await shop.send({ wfid: 'shop/gift' })
    const { token } = shop.mails[0]!
    const { state } = (await shop.store.get(handleIn(token)))!
    expect(notesOf(state)?.pause?.browser).toBeDefined()
    const wf = damage(state.meta?.wf as Record<string, unknown>)
    await shop.store.set(handleIn(token), { ...state, meta: { ...state.meta, wf } })
    const answer = await shop.send({ wfs: token, input: { name: 'Eve' } })
    expect(answer.status).toBe(410)
  })

  it('are not missed in a state that never had any', async () => {
    const shop = await openShop()
    const state: WfState = { schemaId: 'shop/gift', indexes: [0], context: {} }
    await shop.store.set('plain', state)
    const answer = await shop.send({ wfs: 'default.plain', input: { name: 'Ada' } })
    expect(answer.body.finished).toBe(true)
  })
})

describe('a store that gives out what has expired', () => {
  it('is no way around the end of a pause', async () => {
    const clock = new FakeClock()
    const store = new WfStateStoreMemory()
    const strategy = new HandleStateStrategy({ store, clock })
    await store.set('late', { schemaId: 'x', indexes: [0], context: {} })
    const { get, getAndDelete } = store
    const expiresAt = clock.now()
    store.get = async handle => {
      const stored = await get.call(store, handle)
      return stored && { ...stored, expiresAt }
    }
    store.getAndDelete = async handle => {
      const stored = await getAndDelete.call(store, handle)
      return stored && { ...stored, expiresAt }
    }
    expect(await strategy.peek('late')).toMatchObject({ refusal: 'expired' })
    expect(await strategy.claim('late', { admit: () => null })).toMatchObject({
      refusal: 'expired',
    })
    expect(await strategy.consume('late')).toBeNull()
  })
})

describe('cookies that a step has set', () => {
  it.each([false, true])(
    'are not sent if the pause could not be stored (keepToken: %s)',
    async keepToken => {
      const shop = await openShop()
      const wfs = await shop.start('shop/order')
      shop.onName = (_input, ctx) => {
        useResponse().setCookie('session', 'secret')
        Object.assign(ctx, { huge: 1n })
        return outletHttp({ ask: 'again' }, {}, { keepToken })
      }
      const answer = await shop.send({ wfs, input: {} })
      expect(answer.status).toBe(422)
      expect(answer.headers.get('set-cookie')).toBeNull()
      const look = await shop.send(null, { method: 'GET', query: `?wfs=${wfs}` })
      expect(look.status).toBe(200)
    },
  )
})

describe('a run that will be tried again', () => {
  it('leaves the token that the caller has', async () => {
    const clock = new FakeClock()
    const state = new WholeStrategy(clock, { retryAfterMs: 1000 })
    const shop = await openShop({ state, token: { write: 'cookie' } })
    const [cookie = ''] = (await shop.send({ wfid: 'shop/order' })).headers
      .get('set-cookie')!
      .split(';')
    shop.onName = () => {
      throw new Error('The provider is down.')
    }
    const answer = await shop.send({ input: {} }, { cookie })
    expect(answer.status).toBe(202)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })
})

describe('an outlet that answers by something like a promise', () => {
  /* oxlint-disable unicorn/no-thenable -- that is what is tested */
  const thenables: Record<string, (settle: () => Promise<void>) => unknown> = {
    'an object': settle => ({ then: (...args: [never, never]) => settle().then(...args) }),
    'a function': settle =>
      Object.assign(() => undefined, { then: (...args: [never, never]) => settle().then(...args) }),
  }
  /* oxlint-enable unicorn/no-thenable */

  it.each(Object.entries(thenables))('is waited for: %s', async (_title, like) => {
    const failing = () => Promise.reject(new Error('The mail server is down.'))
    const deliver = () => like(failing) as Promise<void>
    const shop = await openShop({
      outlets: [{ name: 'email', tokenDelivery: 'out-of-band', deliver }],
    })
    const wfs = await shop.start('shop/invite')
    expect((await shop.send({ wfs, input: { name: 'ada' } })).status).toBe(502)
    const look = await shop.send(null, { method: 'GET', query: `?wfs=${wfs}` })
    expect(look.status).toBe(200)
  })
})

describe('a migration that fails on what was taken', () => {
  it('gives the claim back', async () => {
    const store = new WfStateStoreMemory()
    const strategy = new HandleStateStrategy({ store, stable: true })
    let asked = 0
    const description = {
      schemaId: 'old/flow',
      shape: 'new',
      steps: [{ stepId: 'old/now', indexes: [0] }],
      stepIdAt: () => undefined,
      hasPosition: () => true,
      migrate: (context: unknown) => {
        // The state that is taken is another copy than the one that was looked at.
        if (++asked === 2) throw new Error('The database is down.')
        return { stepId: 'old/now', context }
      },
    }
    const runs = async () => ({ state: null as never, finished: true })
    const deps = { start: runs, resume: runs, describe: () => description }
    const runner = createWfRunner({ state: strategy }, deps)
    const meta = {
      wf: {
        flow: { flowId: 'f', seq: 1, startedAt: 1 },
        pause: { strategy: 'default' },
        position: { stepId: 'old/gone', shape: 'old' },
      },
    }
    const raw = await strategy.persist({ schemaId: 'old/flow', indexes: [3], context: {}, meta })
    await expect(runner.resume(`default.${raw}`)).rejects.toThrow('The database is down.')
    expect((await runner.resume(`default.${raw}`)).kind).toBe('finished')
  })
})
