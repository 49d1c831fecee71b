import type { DbSpace } from '@atscript/moost-wf/db'
import { AsWfStore } from '@atscript/moost-wf/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WfStateRow } from '../fixtures/schemas/wf-state-row.as'
import { type TestDatabase, testEngines } from '../support/databases'

const STATE = { context: { email: 'ada@example.com' }, indexes: [1] }

/** What others write to the table, beside the store. */
describe.each(testEngines())('a row that is inserted directly on $name', ({ create }) => {
  let database: TestDatabase
  let space: DbSpace

  const openTable = () => {
    const table = space.table(WfStateRow)
    return { table, store: new AsWfStore({ table }) }
  }

  beforeAll(async () => {
    database = await create()
    space = database.open()
    openTable()
    await space.sync()
  })
  afterAll(async () => {
    await space.close()
    await database.drop()
  })

  it('needs neither a version nor times', async () => {
    const { table, store } = openTable()
    const before = Date.now()
    await table.insertOne({ handle: 'direct', schemaId: 'users/invite', state: STATE })
    const { version, createdAt, updatedAt } = (await table.findOne({
      filter: { handle: 'direct' },
    }))!
    expect(version).toBe(1)
    for (const time of [createdAt, updatedAt]) {
      expect(time).toBeGreaterThanOrEqual(before)
      expect(time).toBeLessThanOrEqual(Date.now())
    }
    const state = { schemaId: 'users/invite', ...STATE }
    expect(await store.get('direct')).toMatchObject({ version: 1, state })
    await store.set('direct', state, undefined, { expectedVersion: 1 })
    expect(await store.getAndDelete('direct', { version: 2 })).not.toBeNull()
  })

  it.each([null, 'text', [1, null], 7, false])('may have %j for a context', async context => {
    const { table, store } = openTable()
    const handle = `context ${JSON.stringify(context)}`
    await table.insertOne({ handle, schemaId: 'x', state: { context, indexes: [0] } })
    expect((await store.get(handle))?.state.context).toEqual(context)
    expect(await store.drift({ filter: { handle } })).toBe(0)
    await store.set(handle, { schemaId: 'x', indexes: [0], context })
    expect((await store.getAndDelete(handle))?.state.context).toEqual(context)
  })
})
