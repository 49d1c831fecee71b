import { randomBytes } from 'node:crypto'
import {
  defineOutletConfig,
  EncapsulatedStateStrategy,
  HandleStateStrategy,
  outletHttp,
  useWfAttempts,
  WfLedgerMemory,
  type WfOutletConfig,
  WfStateStoreMemory,
} from '@atscript/moost-wf'
import type { WfAttempt } from '@atscript/moost-wf/run'
import type { WfLedger } from '@atscript/moost-wf/store'
import { HttpError } from '@atscript/moost-wf/http'
import { race } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { testEngines } from '../support/databases'
import { useLedgerDatabase } from '../support/ledger-database'
import { openShop, type Shop } from '../support/shop'

const LIMIT = 5
const WINDOW_MS = 15 * 60_000

const handles = () => new HandleStateStrategy({ store: new WfStateStoreMemory() })
const tokens = () => new EncapsulatedStateStrategy({ secret: randomBytes(32) })

/** A shop that asks for a code, and the codes that it has compared with the right one. */
async function openSafe(overrides: Partial<WfOutletConfig> = {}) {
  const shop = await openShop({ ledger: new WfLedgerMemory(), ...overrides })
  const compared: string[] = []
  const spent: WfAttempt[] = []
  shop.onName = async input => {
    if (!input?.code) return undefined
    const key = `otp:${input.user ?? 'ada'}`
    const attempts = useWfAttempts({ key, limit: LIMIT, windowMs: WINDOW_MS })
    const attempt = await attempts.spend()
    spent.push(attempt)
    if (!attempt.allowed) throw new HttpError(429, 'Too many wrong codes.')
    compared.push(input.code)
    if (input.code === 'crash') throw new Error('half way')
    if (input.code !== 'right') return outletHttp({ left: attempt.left })
    await attempts.reset()
  }
  const enter = (wfs: string, code: string, more = {}) =>
    shop.send({ wfs, input: { code, ...more } })
  return { shop, compared, spent, enter }
}

/** The statuses and how often each was answered. */
function tally(answers: readonly { readonly status: number }[]) {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const startMany = (shop: Shop, count: number, wfid: string) => race(count, () => shop.start(wfid))

/** 500 wrong codes at once: on old tokens again and again, and on flows of their own. */
async function burst(ledger: WfLedger) {
  const { shop, compared, enter } = await openSafe({
    ledger,
    state: {
      strategies: { token: tokens(), row: handles() },
      default: wfid => (wfid === 'shop/order' ? 'token' : 'row'),
    },
  })
  const replayed = await startMany(shop, 10, 'shop/order')
  const fresh = await startMany(shop, 100, 'shop/gift')
  const all = [...Array.from({ length: 40 }, () => replayed).flat(), ...fresh]
  const answers = await race(all.length, n => enter(all[n]!, `wrong-${n}`))
  expect(tally(answers)).toEqual({ 200: LIMIT, 429: 500 - LIMIT })
  expect(compared).toHaveLength(LIMIT)
  expect((await enter(replayed[0]!, 'right')).status).toBe(429)
}

describe('useWfAttempts', () => {
  it('compares exactly 5 of 500 parallel wrong codes on tokens of many flows', async () => {
    await burst(new WfLedgerMemory())
  })

  describe.each(testEngines())('on $name', engine => {
    const { open } = useLedgerDatabase(engine)

    it('compares exactly 5 of 500 parallel wrong codes on tokens of many flows', async () => {
      await burst((await open()).ledger)
    })
  })

  it('does not give attempts back when a failed step has its state restored', async () => {
    const { shop, compared, enter } = await openSafe()
    const wfs = await shop.start('shop/order')
    for (let n = 0; n < LIMIT; n++) expect((await enter(wfs, 'crash')).status).toBe(500)
    expect((await enter(wfs, 'right')).status).toBe(429)
    expect(compared).toHaveLength(LIMIT)
  })

  it('does not give attempts back for an older token or a new flow', async () => {
    const { shop, compared, enter } = await openSafe({ state: tokens() })
    const wfs = await shop.start('shop/order')
    for (let n = 0; n < LIMIT; n++) expect((await enter(wfs, 'wrong')).status).toBe(200)
    expect((await enter(wfs, 'right')).status).toBe(429)
    expect((await enter(await shop.start('shop/order'), 'right')).status).toBe(429)
    expect((await enter(await shop.start('shop/gift'), 'right')).status).toBe(429)
    expect(compared).toHaveLength(LIMIT)
  })

  it('tells how many are left and when the next period begins, and then begins it', async () => {
    const { shop, spent, enter } = await openSafe({ state: tokens() })
    shop.config = { ...shop.config, ledger: new WfLedgerMemory({ clock: shop.clock }) }
    const wfs = await shop.start('shop/order')
    const end = shop.clock.now() + WINDOW_MS
    for (let n = 0; n < LIMIT + 2; n++) {
      await enter(wfs, 'wrong')
      shop.clock.advance(1)
    }
    expect(spent.map(({ left }) => left)).toEqual([4, 3, 2, 1, 0, 0, 0])
    expect(spent.map(({ allowed }) => allowed).indexOf(false)).toBe(LIMIT)
    expect(new Set(spent.map(({ retryAt }) => retryAt))).toEqual(new Set([end]))
    shop.clock.advance(end - shop.clock.now() - 1)
    expect((await enter(wfs, 'wrong')).status).toBe(429)
    shop.clock.advance(1)
    expect((await enter(wfs, 'wrong')).status).toBe(200)
    expect(spent.at(-1)).toEqual({ allowed: true, left: LIMIT - 1, retryAt: end + WINDOW_MS })
  })

  it('begins anew after a success', async () => {
    const { shop, spent, enter } = await openSafe({ state: tokens() })
    const wfs = await shop.start('shop/gift')
    for (let n = 0; n < LIMIT - 1; n++) await enter(wfs, 'wrong')
    expect((await enter(wfs, 'right', { name: 'Ada' })).body.finished).toBe(true)
    await enter(wfs, 'wrong')
    expect(spent.at(-1)).toMatchObject({ allowed: true, left: LIMIT - 1 })
  })

  it('counts each key for itself', async () => {
    const { shop, enter } = await openSafe({ state: tokens() })
    const wfs = await shop.start('shop/order')
    for (let n = 0; n <= LIMIT; n++) await enter(wfs, 'wrong')
    expect((await enter(wfs, 'wrong')).status).toBe(429)
    expect((await enter(wfs, 'wrong', { user: 'bob' })).status).toBe(200)
  })

  it('compares nothing when the ledger cannot answer', async () => {
    class BrokenLedger extends WfLedgerMemory {
      override async increment(): Promise<number> {
        throw new Error('the database at 10.0.0.1 is down')
      }
    }
    const { shop, compared, enter } = await openSafe({ ledger: new BrokenLedger() })
    const answer = await enter(await shop.start('shop/order'), 'right')
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('10.0.0.1')
    expect(compared).toEqual([])
  })
})

describe('a wrong use of useWfAttempts', () => {
  const right = { key: 'otp:ada', limit: LIMIT, windowMs: WINDOW_MS }

  /** What it throws in a step. */
  async function thrownBy(options: object, config: Partial<WfOutletConfig> = {}) {
    const shop = await openShop({ ledger: new WfLedgerMemory(), ...config })
    let thrown: unknown
    shop.onName = () => {
      try {
        useWfAttempts(options as typeof right)
      } catch (error) {
        thrown = error
      }
    }
    await shop.start('shop/order')
    return thrown
  }

  it.each([
    { key: '' },
    { key: undefined },
    { key: 7 },
    { limit: 0 },
    { limit: -1 },
    { limit: 2.5 },
    { limit: Infinity },
    { limit: '5' },
    { limit: undefined },
    { windowMs: 0 },
    { windowMs: -1 },
    { windowMs: NaN },
    { windowMs: Infinity },
    { windowMs: undefined },
  ])('is refused: %j', async wrong => {
    expect(await thrownBy({ ...right, ...wrong })).toMatchObject({ code: 'WF_CONFIG' })
  })

  it('is refused without a ledger, with a sentence that says what to add', async () => {
    const error = await thrownBy(right, { ledger: undefined })
    expect(error).toMatchObject({ code: 'WF_CONFIG', message: expect.stringContaining('ledger:') })
  })

  it('is what was refused, and nothing else', async () => {
    expect(await thrownBy(right)).toBeUndefined()
  })

  it('is refused outside of a workflow that a request runs', () => {
    expect(() => useWfAttempts(right)).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
  })

  it.each([null, {}, 'ledger', { increment: () => 1 }])('%j is no ledger', ledger => {
    const config = { state: handles(), ledger: ledger as unknown as WfLedger }
    expect(() => defineOutletConfig(config)).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
  })
})
