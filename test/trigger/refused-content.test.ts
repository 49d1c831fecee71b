import { HandleStateStrategy, outletHttp } from '@atscript/moost-wf'
import { AsWfStore } from '@atscript/moost-wf/store'
import { describe, expect, it, onTestFinished } from 'vitest'
import { notesOf } from '../../src/state'
import { ExpenseStateRow } from '../fixtures/schemas/expense-state-row.as'
import { testEngines } from '../support/databases'
import { openShop } from '../support/shop'

/** A shop whose states are in a table with shadow columns, one of which is not what a step says. */
async function openTableShop(engine: ReturnType<typeof testEngines>[number]) {
  const database = await engine.create()
  const space = database.open()
  onTestFinished(async () => {
    await space.close()
    await database.drop()
  })
  const table = space.table(ExpenseStateRow)
  await space.sync()
  const shop = await openShop()
  const { clock } = shop
  const store = new AsWfStore({ table, clock, warn: () => undefined })
  shop.config = { ...shop.config, state: new HandleStateStrategy({ store }) }
  const problem = async () => {
    const [row] = await table.findMany({ filter: {} })
    const { state } = (await store.get(row!.handle))!
    return notesOf(state)?.pause?.problem
  }
  return { shop, table, problem }
}

describe.each(testEngines())('a flow whose content $name refuses', engine => {
  it('ends in a named answer, goes on with other content, and an admin sees why it did not', async () => {
    const { shop, problem } = await openTableShop(engine)
    const { table } = await openTableShop(engine)
    shop.onName = async (input, ctx) => {
      if (!input) return outletHttp({ ask: 'name' })
      // As a step does that keeps what was typed in a table of its own.
      await table.insertOne({ ...ROW, handle: input.name ?? '' })
      ctx.name = input.name ?? ''
    }
    const wfs = await shop.start('shop/order')
    for (const times of [1, 2]) {
      const { status, body } = await shop.send({ wfs, input: { name: `h${'x'.repeat(500)}` } })
      expect([status, body.error.code]).toEqual([422, 'WF_CONTENT_REFUSED'])
      expect(await problem()).toEqual({ code: 'WF_DB_ROW', at: shop.clock.now(), times })
    }
    await expect
      .poll(() => shop.rejections.map(({ code }) => code))
      .toEqual(['WF_CONTENT_REFUSED', 'WF_CONTENT_REFUSED'])
    expect(shop.log.some(({ text }) => text.includes('xxxx'))).toBe(false)
    const next = await shop.send({ wfs, input: { name: 'short' } })
    expect(next.body.inputRequired.payload).toEqual({ ask: 'address' })
    expect(await problem()).toBeUndefined()
  })

  it('keeps its place when its own state cannot be stored', async () => {
    const { shop, problem } = await openTableShop(engine)
    const wfs = await shop.start('shop/order')
    shop.onName = (input, ctx) => void (input && Object.assign(ctx, { loop: ctx }))
    const refused = await shop.send({ wfs, input: { name: 'Ada' } })
    expect([refused.status, refused.body.error.code]).toEqual([422, 'WF_CONTENT_REFUSED'])
    expect((await problem())?.code).toBe('WF_STATE_INVALID')
    shop.onName = () => undefined
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).status).toBe(200)
  })
})

const ROW = {
  schemaId: 's',
  state: { context: {}, indexes: [0] },
  version: 1,
  createdAt: 1,
  updatedAt: 1,
}
