import { AsWfStore } from '@atscript/moost-wf/store'
import { race } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { expense, openExpenses } from '../support/expense-store'
import { publicTable } from '../support/public-table'
import { SuperStore } from '../support/super-store'

const WAYS: [string, (opened: Awaited<ReturnType<typeof openExpenses>>) => AsWfStore][] = [
  ['a table of ours', ({ store }) => store],
  ['a public table', ({ table, clock }) => new AsWfStore({ table: publicTable(table), clock })],
  ['hashed handles', ({ table, clock }) => new AsWfStore({ table, clock, hashHandles: true })],
  ['hooks that call super', ({ table, clock }) => new SuperStore({ table, clock })],
]

describe.each(WAYS)('a row in %s', (_way, storeOf) => {
  async function openRow() {
    const opened = await openExpenses()
    const store = storeOf(opened)
    const expiresAt = opened.clock.now() + 1000
    await store.set('h', expense({ applicant: 'ann', expense: { amount: 7 } }), expiresAt)
    const [row] = await opened.table.findMany({ filter: {} })
    const now = async () => (await opened.table.findOne({ filter: { id: row!.id } }))!
    return { ...opened, store, id: row!.id, expiresAt, now }
  }

  it('is found by its id, expired or not', async () => {
    const { store, id, clock } = await openRow()
    clock.advance(5000)
    const view = await store.getRow(id)
    expect(view?.state?.context).toMatchObject({ applicant: 'ann' })
    expect(view?.row).toMatchObject({ id, version: 1, applicant: 'ann' })
  })

  it.each(['nope', '', 'h', '\0', '\ud800', 7, Number.NaN, null, undefined, { $ne: null }, ['x']])(
    'is not found by %j',
    async id => {
      const { store, table } = await openRow()
      expect(await store.getRow(id as never)).toBeNull()
      expect(await store.revokeRow(id as never, 1)).toBe(false)
      expect(await store.extendRow(id as never, 1, 9e12)).toBeNull()
      expect(await store.reissueRow(id as never, 1, async () => {})).toBeNull()
      expect(await table.count({ filter: {} })).toBe(1)
    },
  )

  it('is revoked once, in the version that was seen', async () => {
    const { store, id } = await openRow()
    await expect(store.revokeRow(id, 2)).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    expect(await store.revokeRow(id, 1)).toBe(true)
    expect(await store.get('h')).toBeNull()
    expect(await store.revokeRow(id, 1)).toBe(false)
  })

  it('is given more time, in the version that was seen', async () => {
    const { store, id, clock, now } = await openRow()
    const before = await now()
    clock.advance(2000)
    const later = clock.now() + 500
    await expect(store.extendRow(id, 7, later)).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    expect(await store.extendRow(id, 1, later)).toBe(2)
    expect(await now()).toEqual({
      ...before,
      version: 2,
      expiresAt: later,
      updatedAt: clock.now(),
    })
    expect(await store.get('h')).toMatchObject({ version: 2, expiresAt: later })
    await expect(store.extendRow(id, 2, Number.NaN)).rejects.toThrow(TypeError)
  })

  it('is given a new handle, and the old one is dead', async () => {
    const { store, id, now } = await openRow()
    const before = await now()
    let handle = ''
    const version = await store.reissueRow(id, 1, async (given, { state }) => {
      handle = given
      expect(state.context).toMatchObject({ applicant: 'ann' })
      expect(await store.get('h')).toBeNull()
      expect(await store.get(given)).not.toBeNull()
    })
    expect(version).toBe(2)
    expect(await now()).toEqual({ ...before, version: 2, handle: (await now()).handle })
    expect(await store.get('h')).toBeNull()
    expect((await store.getAndDelete(handle))?.state.context).toMatchObject({ applicant: 'ann' })
  })

  it('has its old handle back when the new one cannot be delivered', async () => {
    const { store, id, now } = await openRow()
    const before = await now()
    const problem = new Error('not sent')
    let handle = ''
    const reissue = store.reissueRow(id, 1, async given => {
      handle = given
      throw problem
    })
    await expect(reissue).rejects.toBe(problem)
    expect(await store.get(handle)).toBeNull()
    expect(await now()).toEqual({ ...before, version: 3 })
    expect(await store.getAndDelete('h')).not.toBeNull()
  })

  it('is revoked, extended or reissued by one of many at once', async () => {
    const { store, id, expiresAt } = await openRow()
    const outcomes = await race(30, async n => {
      try {
        if (n % 3 === 0) return await store.revokeRow(id, 1)
        if (n % 3 === 1) return (await store.extendRow(id, 1, expiresAt + n)) !== null
        return (await store.reissueRow(id, 1, async () => {})) !== null
      } catch (error) {
        expect(error).toMatchObject({ code: 'WF_CONFLICT' })
        return false
      }
    })
    expect(outcomes.filter(Boolean)).toEqual([true])
  })

  it('is counted', async () => {
    const { store } = await openRow()
    await store.set('i', expense({ applicant: 'ann' }, 'approvals/travel'))
    await store.set('j', expense({ applicant: 'bob' }))
    expect(await store.count()).toBe(3)
    expect(await store.count({ schemaId: 'approvals/travel' })).toBe(1)
    expect(await store.count({ filter: { applicant: 'bob' } })).toBe(1)
    expect(await store.countBy('applicant')).toEqual([
      { value: 'ann', count: 2 },
      { value: 'bob', count: 1 },
    ])
    expect(await store.countBy('applicant', { limit: 1 })).toHaveLength(1)
    expect(await store.countBy('applicant', { schemaId: 'approvals/travel' })).toEqual([
      { value: 'ann', count: 1 },
    ])
  })
})
