import { createHash } from 'node:crypto'
import { AsWfLedger } from '@atscript/moost-wf'
import type { WfLedgerTable } from '@atscript/moost-wf/store'
import { FakeClock, race } from '@atscript/moost-wf/testing'
import { describe, expect, it } from 'vitest'
import { sqliteDatabase, testEngines } from '../support/databases'
import { WfLedgerRow } from '../fixtures/schemas/wf-ledger-row.as'
import { useLedgerDatabase } from '../support/ledger-database'

/** The same table, where something else happens before one of its operations: the worst moment. */
function before(
  operation: 'deleteMany' | 'upsertOne',
  table: WfLedgerTable,
  happens: () => Promise<unknown>,
): WfLedgerTable {
  const meanwhile = (called: string) => (called === operation ? happens() : undefined)
  return {
    findOne: query => table.findOne(query),
    findMany: query => table.findMany(query),
    count: query => table.count(query),
    updateMany: (filter, patch) => table.updateMany(filter, patch),
    upsertOne: async (row, options) => {
      await meanwhile('upsertOne')
      return table.upsertOne(row, options)
    },
    deleteMany: async filter => {
      await meanwhile('deleteMany')
      return table.deleteMany(filter)
    },
  }
}

describe.each(testEngines())('AsWfLedger on $name', engine => {
  const { open } = useLedgerDatabase(engine)

  it('stores a hash of the kind and the key, and never the key', async () => {
    const { ledger, table, clock } = await open()
    await ledger.spend('spent-token', 'ada@example.com', clock.now() + 10)
    const hash = createHash('sha256').update('["spent-token","ada@example.com"]')
    expect(await table.findMany({ filter: {} })).toEqual([
      {
        key: hash.digest('base64url'),
        kind: 'spent-token',
        count: 1,
        data: null,
        expiresAt: clock.now() + 10,
      },
    ])
  })

  it('leaves the next entry alone when it removes the expired one too late', async () => {
    const { ledger, table, clock } = await open()
    await ledger.spend('token', 'a', clock.now() + 10)
    clock.advance(10)
    const late = new AsWfLedger({
      clock,
      table: before('deleteMany', table, async () => {
        expect(await ledger.spend('token', 'a', clock.now() + 10)).toBe(true)
      }),
    })
    expect(await late.spend('token', 'a', clock.now() + 10)).toBe(false)
    expect(await ledger.spend('token', 'a', clock.now() + 10)).toBe(false)
  })

  it.each([10, undefined])('and a note as well that ends after %s', async ms => {
    const { ledger, table, clock } = await open()
    await ledger.spend('note', 'a', clock.now() + 10)
    clock.advance(10)
    const put = () => ledger.put('note', 'a', 'new', ms && clock.now() + ms)
    const late = new AsWfLedger({ clock, table: before('deleteMany', table, put) })
    expect(await late.increment('note', 'a', clock.now() + 10)).toBe(1)
    expect(await ledger.get('note', 'a')).toMatchObject({ count: 1, data: 'new' })
  })

  it('lets no one win rather than two when the clocks disagree', async () => {
    const { ledger, table, clock } = await open()
    const ahead = new FakeClock(clock.now() + 60_000)
    const fast = new AsWfLedger({
      clock: ahead,
      table: before('upsertOne', table, () => ledger.spend('token', 'a', clock.now() + 10)),
    })
    const spending = fast.spend('token', 'a', ahead.now() + 10)
    await expect(spending).rejects.toMatchObject({ code: 'WF_CONFLICT' })
  })

  describe('cleanup', () => {
    async function withExpired(count: number) {
      const opened = await open()
      const { table, clock } = opened
      const row = { kind: 'token', count: 1 }
      await table.insertMany([
        ...Array.from({ length: count }, (_, n) => ({
          ...row,
          key: `expired-${n}`,
          expiresAt: clock.now() - n,
        })),
        { ...row, key: 'live', expiresAt: clock.now() + 1 },
        { ...row, key: 'endless' },
      ])
      return opened
    }

    it('removes all in batches, and nothing that lives', async () => {
      const { ledger, table } = await withExpired(25)
      expect(await ledger.cleanup({ batchSize: 10 })).toBe(25)
      const left = await table.findMany({ filter: {}, controls: { $sort: { key: 1 } } })
      expect(left.map(({ key }) => key)).toEqual(['endless', 'live'])
    })

    it('stops at its limit, the longest expired first', async () => {
      const { ledger, table } = await withExpired(25)
      expect(await ledger.cleanup({ limit: 12, batchSize: 5 })).toBe(12)
      expect(await table.count({ filter: {} })).toBe(15)
      expect(await table.findOne({ filter: { key: 'expired-24' } })).toBeNull()
      expect(await ledger.cleanup({ limit: 20, batchSize: 5 })).toBe(13)
    })

    it('counts and removes nothing in a dry run', async () => {
      const { ledger, table } = await withExpired(25)
      expect(await ledger.cleanup({ dryRun: true })).toBe(25)
      expect(await ledger.cleanup({ dryRun: true, limit: 12 })).toBe(12)
      expect(await table.count({ filter: {} })).toBe(27)
    })

    it.each([{ limit: 0 }, { limit: 1.5 }, { batchSize: 0 }, { batchSize: 1001 }, { limit: NaN }])(
      'refuses %j',
      async options => {
        const { ledger } = await withExpired(1)
        await expect(ledger.cleanup(options)).rejects.toThrow(TypeError)
      },
    )

    it('leaves an entry alone that has begun anew since it was found', async () => {
      const { ledger, table, clock } = await open()
      await ledger.spend('token', 'a', clock.now())
      await ledger.spend('token', 'b', clock.now() + 10)
      await ledger.put('token', 'c', 'old', clock.now() + 10)
      clock.advance(10)
      const cleaner = new AsWfLedger({
        clock,
        table: before('deleteMany', table, () => ledger.put('token', 'c', 'new')),
      })
      expect(await cleaner.cleanup()).toBe(1)
      expect(await ledger.get('token', 'c')).toMatchObject({ data: 'new' })
    })

    it('counts each entry once when many nodes clean up, and breaks no race', async () => {
      const { ledger, table, clock } = await withExpired(200)
      const nodes = Array.from({ length: 4 }, () => new AsWfLedger({ table, clock }))
      for (let n = 0; n < 20; n++) await ledger.put('code', `${n}`, '', clock.now())
      const [removed, spent] = await Promise.all([
        Promise.all(nodes.map(node => node.cleanup({ batchSize: 7 }))),
        race(100, n => ledger.spend('code', `${n % 20}`, clock.now() + 10)),
      ])
      const all = removed.reduce((sum, count) => sum + count, 0)
      expect(spent.filter(Boolean)).toHaveLength(20)
      expect(all).toBeGreaterThanOrEqual(200)
      expect(all).toBeLessThanOrEqual(220)
      expect(await table.count({ filter: {} })).toBe(22)
    })
  })
})

describe('AsWfLedger', () => {
  it('fails when its database does, in every operation', async () => {
    const database = await sqliteDatabase()
    const space = database.open()
    const ledger = new AsWfLedger({ table: space.table(WfLedgerRow) })
    await space.sync()
    await space.close()
    const operations = [
      () => ledger.spend('token', 'a'),
      () => ledger.restore('token', 'a'),
      () => ledger.increment('token', 'a'),
      () => ledger.put('token', 'a', ''),
      () => ledger.get('token', 'a'),
      () => ledger.cleanup(),
    ]
    for (const operation of operations) await expect(operation()).rejects.toThrow()
    await database.drop()
  })

  it('refuses a table that cannot count atomically, and a clock that is none', async () => {
    const database = await sqliteDatabase()
    const space = database.open()
    const table = space.table(WfLedgerRow)
    const wrong = [
      { table: undefined },
      { table: { ...before('upsertOne', table, async () => {}), upsertOne: undefined } },
      { table, clock: {} },
    ]
    for (const options of wrong) {
      expect(() => new AsWfLedger(options as never)).toThrow(
        expect.objectContaining({ code: 'WF_CONFIG' }),
      )
    }
    await space.close()
    await database.drop()
  })
})
