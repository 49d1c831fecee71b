import { WfError } from '@atscript/moost-wf'
import { AsWfStore, type WfHealProgress } from '@atscript/moost-wf/store'
import { describe, expect, it } from 'vitest'
import { expense, openExpenses } from '../support/expense-store'
import { publicTable } from '../support/public-table'

/** Rows whose shadow columns were never written, as before the column was added. */
async function openUnhealed(count: number) {
  const opened = await openExpenses({
    actor: () => {
      throw new Error('There is no session here.')
    },
  })
  const { table, clock } = opened
  const at = clock.now()
  const rows = Array.from({ length: count }, (_, n) => ({
    handle: `h${n}`,
    schemaId: n % 2 ? 'approvals/expense' : 'approvals/travel',
    state: { context: { applicant: `user${n}`, expense: { amount: n } }, indexes: [1] },
    version: 3,
    createdAt: at,
    updatedAt: at,
    lastUpdatedBy: 'ada',
  }))
  await table.insertMany(rows)
  clock.advance(1000)
  return { ...opened, at }
}

describe('heal', () => {
  it('fills in what is missing, counts the rows that changed, and leaves the rest alone', async () => {
    const { store, table, rowOf, at } = await openUnhealed(250)
    expect(await store.drift()).toBe(250)
    expect(await store.heal()).toBe(250)
    expect(await rowOf('h7')).toMatchObject({
      applicant: 'user7',
      amount: 7,
      stage: 'new',
      version: 3,
      updatedAt: at,
      lastUpdatedBy: 'ada',
    })
    expect(await table.count({ filter: { applicant: null } })).toBe(0)
    expect(await store.heal()).toBe(0)
    expect(await store.drift()).toBe(0)
  })

  it('takes a filter', async () => {
    const { store } = await openUnhealed(10)
    expect(await store.drift({ filter: { schemaId: 'approvals/travel' } })).toBe(5)
    expect(await store.heal({ filter: { schemaId: 'approvals/travel' } })).toBe(5)
    expect(await store.drift()).toBe(5)
  })

  it('says what it would do, and does not', async () => {
    const { store } = await openUnhealed(10)
    expect(await store.heal({ dryRun: true })).toBe(10)
    expect(await store.drift()).toBe(10)
  })

  it('reports its progress, and goes on from there', async () => {
    const { store } = await openUnhealed(25)
    const seen: WfHealProgress[] = []
    const stop = new Error('stopped')
    const stopped = store.heal({
      batchSize: 10,
      onProgress: progress => {
        seen.push(progress)
        if (seen.length === 2) throw stop
      },
    })
    await expect(stopped).rejects.toBe(stop)
    expect(seen.map(({ scanned, changed }) => [scanned, changed])).toEqual([
      [10, 10],
      [20, 20],
    ])
    expect(await store.heal({ batchSize: 10, after: seen[1]?.after })).toBe(5)
    expect(await store.drift()).toBe(0)
  })

  it('never overwrites a newer write', async () => {
    const { store, table, rowOf } = await openUnhealed(3)
    const findMany = table.findMany.bind(table)
    // Another process writes a row between the scan and the write.
    table.findMany = (async (query: never) => {
      const rows = await findMany(query)
      await table.updateMany({ handle: 'h1' }, { version: 4, applicant: 'newer', amount: 9 })
      return rows
    }) as never
    expect(await store.heal()).toBe(2)
    expect(await rowOf('h1')).toMatchObject({ applicant: 'newer', amount: 9 })
  })

  it('is not disturbed by rows that come and go', async () => {
    const { store, table } = await openUnhealed(60)
    let round = 0
    await store.heal({
      batchSize: 7,
      onProgress: () => void table.deleteMany({ handle: `h${round++}` }),
    })
    expect(await store.drift()).toBe(0)
  })

  it('leaves damaged rows alone and tells of them', async () => {
    const { store, table } = await openUnhealed(3)
    await table.updateMany({ handle: 'h1' }, { state: { nothing: true } as never })
    let damaged = 0
    expect(await store.heal({ onProgress: progress => (damaged = progress.damaged) })).toBe(2)
    expect(damaged).toBe(1)
    await expect(store.get('h1')).rejects.toMatchObject({ code: 'WF_DB_FAILED' })
  })

  it('goes on behind a row that cannot be read at all', async () => {
    const { store, table } = await openUnhealed(5)
    const findMany = table.findMany.bind(table)
    const findOne = table.findOne.bind(table)
    const unreadable = new WfError('WF_DB_FAILED', 'not JSON')
    const wrapped = {
      ...publicTable(table),
      findMany: async (query: never) => {
        if (!(query as { controls: { $select?: unknown } }).controls.$select) throw unreadable
        return findMany(query)
      },
      findOne: async (query: never) => {
        const row = await findOne(query)
        if (row?.handle === 'h2') throw unreadable
        return row
      },
    }
    let damaged = 0
    const other = new AsWfStore({ table: wrapped, warn: () => {} })
    expect(await other.heal({ onProgress: progress => (damaged = progress.damaged) })).toBe(4)
    expect(damaged).toBe(1)
    expect(await store.drift()).toBe(1)
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses a batch size of %d', async batchSize => {
    const { store } = await openExpenses()
    await expect(store.heal({ batchSize })).rejects.toThrow(TypeError)
  })

  it('writes nothing into a state that it heals', async () => {
    const { store, rowOf } = await openUnhealed(1)
    const before = await rowOf('h0')
    await store.heal()
    expect((await rowOf('h0')).state).toEqual(before.state)
    expect((await store.get('h0'))?.state).toEqual({
      ...expense({ applicant: 'user0', expense: { amount: 0 } }, 'approvals/travel'),
    })
  })
})
