import { AsWfStore, type WfCleanupOptions } from '@atscript/moost-wf/store'
import { describe, expect, it, vi } from 'vitest'
import { expense, openExpenses } from '../support/expense-store'
import { publicTable } from '../support/public-table'

describe('cleanup', () => {
  async function openExpired(count: number) {
    const opened = await openExpenses({
      actor: () => {
        throw new Error('There is no session here.')
      },
    })
    const { table, clock } = opened
    const at = clock.now()
    const rows = Array.from({ length: count }, (_, n) => ({
      handle: `h${n}`,
      schemaId: 'approvals/expense',
      state: { context: {}, indexes: [1] },
      version: 1,
      createdAt: at,
      updatedAt: at,
      expiresAt: at + n,
    }))
    await table.insertMany(rows)
    return { ...opened, at }
  }

  it('deletes from the moment of expiry on, and no row that can be resumed', async () => {
    const { store, clock, table } = await openExpired(10)
    clock.advance(4)
    expect(await store.cleanup({ dryRun: true })).toBe(5)
    expect(await store.cleanup()).toBe(5)
    expect(await store.cleanup()).toBe(0)
    expect(await table.count({ filter: {} })).toBe(5)
    expect(await store.get('h5')).not.toBeNull()
  })

  it('keeps rows for as long as it is told to', async () => {
    const { store, clock } = await openExpired(10)
    clock.advance(104)
    expect(await store.cleanup({ retention: Number.POSITIVE_INFINITY })).toBe(0)
    expect(await store.cleanup({ retention: 200 })).toBe(0)
    expect(await store.cleanup({ retention: 100 })).toBe(5)
    expect(await store.cleanup()).toBe(5)
  })

  it('works in batches, up to a limit, the oldest first', async () => {
    const { store, clock, table } = await openExpired(100)
    clock.advance(1000)
    const progress: number[] = []
    const options = {
      batchSize: 20,
      limit: 50,
      onProgress: ({ deleted }: { deleted: number }) => progress.push(deleted),
    }
    expect(await store.cleanup(options)).toBe(50)
    expect(progress).toEqual([20, 40, 50])
    const [oldest] = await table.findMany({
      filter: {},
      controls: { $sort: { expiresAt: 1 }, $limit: 1 },
    })
    expect(oldest?.handle).toBe('h50')
    expect(await store.cleanup({ dryRun: true, limit: 7 })).toBe(7)
  })

  it('spares a row that is given more time while it works', async () => {
    const { store, clock, table } = await openExpired(5)
    clock.advance(1000)
    const findMany = table.findMany.bind(table)
    table.findMany = (async (query: never) => {
      const rows = await findMany(query)
      await table.updateMany({ handle: 'h2' }, { expiresAt: clock.now() + 1 })
      return rows
    }) as never
    expect(await store.cleanup()).toBe(4)
    expect(await store.get('h2')).not.toBeNull()
  })

  it('shares the work with other nodes', async () => {
    const { store, clock } = await openExpired(100)
    clock.advance(1000)
    const counts = await Promise.all([1, 2, 3].map(() => store.cleanup({ batchSize: 9 })))
    expect(counts.reduce((sum, count) => sum + count)).toBe(100)
  })

  it('ends when rows cannot be deleted', async () => {
    const { table, clock } = await openExpired(5)
    clock.advance(1000)
    const stubborn = { ...publicTable(table), deleteMany: async () => ({ deletedCount: 0 }) }
    const store = new AsWfStore({ table: stubborn, clock })
    expect(await store.cleanup({ batchSize: 2 })).toBe(0)
  })

  it.each([0, -5, Number.NaN, Infinity, 2 ** 31])('refuses to run every %d ms', async everyMs => {
    const { store } = await openExpenses()
    expect(() => store.startCleanup({ everyMs })).toThrow(TypeError)
  })

  it('deletes nothing when the clock jumps back', async () => {
    const { store, clock, table } = await openExpired(5)
    clock.advance(-1e9)
    expect(await store.cleanup()).toBe(0)
    expect(await table.count({ filter: {} })).toBe(5)
  })

  it.each([
    { retention: -1 },
    { retention: Number.NaN },
    { limit: 0 },
    { batchSize: Number.NaN },
    { batchSize: 1001 },
    { limit: 2.5 },
  ])('refuses %j', async options => {
    const { store } = await openExpired(1)
    await expect(store.cleanup(options)).rejects.toThrow(TypeError)
  })

  it('is repeated until it is stopped, also after a failure', async () => {
    vi.useFakeTimers()
    try {
      const { table, clock } = await openExpired(3)
      clock.advance(1000)
      const calls: unknown[] = []
      class Counting extends AsWfStore {
        override async cleanup(options?: WfCleanupOptions) {
          calls.push(options)
          if (calls.length === 1) throw new Error('The database is away.')
          return super.cleanup(options)
        }
      }
      const errors: unknown[] = []
      const onError = (error: unknown) => errors.push(error)
      const store = new Counting({ table, clock })
      const stop = store.startCleanup({ everyMs: 1000, retention: 5, onError })
      await vi.advanceTimersByTimeAsync(1101)
      expect(errors).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1101)
      expect(calls).toEqual([{ retention: 5 }, { retention: 5 }])
      expect(await table.count({ filter: {} })).toBe(0)
      stop()
      await vi.advanceTimersByTimeAsync(10_000)
      expect(calls).toHaveLength(2)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not delete what set has just written', async () => {
    const { store, clock } = await openExpenses()
    await store.set('h', expense({}), clock.now() + 1)
    expect(await store.cleanup()).toBe(0)
  })
})
