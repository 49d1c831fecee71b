import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { insertInto, updateIn } from '../../db'
import { commitTables, insertEvents, SuiteRun } from './commit-types'
import { SuiteType } from './suite-type'
import type { TableFixture } from './table-database'

/** How far the clocks of this machine and of the database may be apart in a test. */
const APART_MS = 60_000
const HOUR_MS = 3_600_000

export function describeClock(current: () => TableFixture): void {
  describe('the clock of the database', () => {
    beforeEach(async () => {
      const { runs, events } = commitTables(current().space)
      await events.deleteMany({})
      await runs.deleteMany({})
    })
    afterEach(() => void vi.useRealTimers())

    const readAt = async (key: string) =>
      (await current().table.findOne({ filter: { key } }))?.at ?? Number.NaN

    it('is written by an insert, an update and an upsert, in whole milliseconds', async () => {
      const { space, table } = current()
      await table.insertMany([
        { key: 'a', at: space.now(HOUR_MS) },
        { key: 'b', at: 5 },
        { key: 'c', at: space.now(-HOUR_MS) },
      ])
      await table.updateMany({ key: 'b' }, { at: space.now(2 * HOUR_MS) })
      await table.upsertOne({ key: 'd', at: space.now() }, { conflict: ['key'] })
      const hours = { a: 1, b: 2, c: -1, d: 0 }
      for (const [key, after] of Object.entries(hours)) {
        const at = await readAt(key)
        expect(Number.isInteger(at)).toBe(true)
        expect(Math.abs(at - Date.now() - after * HOUR_MS)).toBeLessThan(APART_MS)
      }
      await table.upsertOne({ key: 'd', at: space.now(HOUR_MS) }, { conflict: ['key'] })
      expect(Math.abs((await readAt('d')) - Date.now() - HOUR_MS)).toBeLessThan(APART_MS)
      await table.upsertOne({ key: 'd', at: 7 }, { conflict: ['key'] })
      expect(await readAt('d')).toBe(7)
    })

    it('is what a column is compared with', async () => {
      const { space, table } = current()
      await table.insertMany([
        { key: 'past', at: space.now(-HOUR_MS) },
        { key: 'future', at: space.now(HOUR_MS) },
        { key: 'never', at: null },
      ])
      const keysWhere = async (at: object) =>
        (await table.findMany({ filter: { at }, controls: { $sort: { key: 1 } } })).map(
          ({ key }) => key,
        )
      expect(await keysWhere({ $lte: space.now() })).toEqual(['past'])
      expect(await keysWhere({ $gt: space.now() })).toEqual(['future'])
      expect(await keysWhere({ $gt: space.now(-2 * HOUR_MS) })).toEqual(['future', 'past'])
      expect(await keysWhere({ $not: { $lte: space.now() } })).toEqual(['future', 'never'])
      // The same columns and operators, with a number.
      expect(await keysWhere({ $lte: 5 })).toEqual([])
    })

    it('decides a commit, and is written by it to every row', async () => {
      const { space } = current()
      const { runs, links } = commitTables(space)
      await runs.insertOne({ key: 'a', version: 1, at: space.now(-1000) })
      const take = (version: number) =>
        space.commit({
          write: updateIn(
            SuiteRun,
            { key: 'a', version, $or: [{ at: null }, { at: { $lte: space.now() } }] },
            { version: version + 1, at: space.now(HOUR_MS) },
          ),
          returning: ['at'],
          with: [
            insertEvents('a', version),
            insertInto(SuiteType, { key: `link ${version}`, at: space.now(HOUR_MS) }),
            insertInto(SuiteType, { key: `other ${version}`, at: 5 }),
          ],
        })
      const { held, row } = await take(1)
      expect(held).toBe(true)
      expect(Math.abs(row!.at! - Date.now() - HOUR_MS)).toBeLessThan(APART_MS)
      expect(await take(2)).toEqual({ held: false })
      const written = await links.findMany({ controls: { $sort: { key: 1 } } })
      expect(written.map(({ key }) => key)).toEqual(['link 1', 'other 1'])
      expect(written[1]!.at).toBe(5)
      const begun = await space.commit({
        write: insertInto(SuiteRun, { key: 'b', version: 1, at: space.now(HOUR_MS) }),
        returning: ['at'],
      })
      expect(Math.abs(begun.row!.at! - Date.now() - HOUR_MS)).toBeLessThan(APART_MS)
    })

    it('is not the clock of this machine', async () => {
      const { space, table } = current()
      await table.insertOne({ key: 'a', at: space.now(HOUR_MS) })
      vi.useFakeTimers({ now: Date.now() + 1000 * HOUR_MS, toFake: ['Date'] })
      expect(await table.count({ filter: { key: 'a', at: { $lte: space.now() } } })).toBe(0)
    })

    it('is nothing for a column without whole numbers, for equality, or out of JSON', async () => {
      const { space, table } = current()
      const unfit = { code: 'WF_DB_ROW' }
      const refused = { code: 'WF_DB_FILTER' }
      const moment = space.now() as never
      await expect(table.insertOne({ key: 'a', text: moment })).rejects.toMatchObject(unfit)
      await expect(table.insertOne({ key: 'a', ratio: moment })).rejects.toMatchObject(unfit)
      await expect(table.insertOne({ key: 'a', data: moment })).rejects.toMatchObject(unfit)
      for (const filter of [{ at: { $eq: moment } }, { at: { $in: [moment] } }, { at: moment }]) {
        await expect(table.count({ filter })).rejects.toMatchObject(refused)
      }
      const sent = JSON.parse(JSON.stringify({ at: { $lte: moment } })) as object
      await expect(table.count({ filter: sent })).rejects.toMatchObject(refused)
      expect(() => space.now(Number.NaN)).toThrow(TypeError)
      expect(() => space.now(0.5)).toThrow(TypeError)
    })
  })
}
