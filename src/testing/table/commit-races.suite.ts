import { beforeEach, describe, expect, it } from 'vitest'
import { type DbSpace, insertInto, updateIn } from '../../db'
import { casesUnless } from '../excused-cases'
import { race } from '../race'
import {
  advance,
  allRows,
  type CommitTables,
  commitTables,
  insertEvents,
  SuiteRun,
} from './commit-types'
import { SuiteType } from './suite-type'
import type { TableFixture, TableLacks } from './table-database'

const RACERS = 40

export function describeCommitRaces(current: () => TableFixture, lacks: TableLacks): void {
  const casesWith = casesUnless('describeTable', lacks)
  const itWithTransactions = casesWith('transactions')
  let tables: CommitTables
  const prepare = async () => {
    tables = commitTables(current().space)
    await tables.events.deleteMany({})
    await tables.runs.deleteMany({})
    await tables.runs.insertOne({ key: 'a', version: 1 })
  }

  /** Every racer tries to take the run from one version to the next, with an event of its own. */
  const raceOf = async (spaces: readonly DbSpace[], version: number) => {
    const outcomes = await race(RACERS, async n => {
      const along = [insertEvents(`${n}`, version)]
      return spaces[n % spaces.length]!.commit({ write: advance('a', version), with: along })
    })
    expect(outcomes.filter(({ held }) => held)).toHaveLength(1)
    expect(await tables.events.count({ filter: { seq: version } })).toBe(1)
  }

  describe('racing commits', () => {
    beforeEach(prepare)

    it('hold for exactly one of many that expect the same version', async () => {
      for (let version = 1; version <= 10; version++) await raceOf([current().space], version)
    })

    it('insert a row with a unique value exactly once', async () => {
      const { space } = current()
      const outcomes = await race(RACERS, async n =>
        space.commit({ write: insertInto(SuiteRun, { key: 'new' }), with: [insertEvents('n', n)] }),
      )
      expect(outcomes.filter(({ held }) => held)).toHaveLength(1)
      expect(await tables.events.count({})).toBe(1)
    })

    it('lose none of many that try again until they hold', async () => {
      const { space } = current()
      const { runs, events } = tables
      await race(8, async () => {
        for (let done = 0; done < 5;) {
          const { version } = (await runs.findOne({ filter: { key: 'a' } }))!
          const commit = { write: advance('a', version), with: [insertEvents('a', version)] }
          if ((await space.commit(commit)).held) done++
        }
      })
      expect(await runs.findOne({ filter: { key: 'a' } })).toMatchObject({ version: 41 })
      expect(await events.count({})).toBe(40)
    })

    itWithTransactions('are not lost to a deadlock', async () => {
      const { space } = current()
      await tables.links.insertMany([{ key: 'x' }, { key: 'y' }])
      const touch = (key: string) => updateIn(SuiteType, { key }, { text: key })
      await tables.runs.insertMany(Array.from({ length: 6 }, (_, n) => ({ key: `${n}` })))
      await race(6, n =>
        space.transaction(async transaction => {
          const [first, second] = n % 2 ? ['x', 'y'] : ['y', 'x']
          await transaction.table(SuiteType).updateMany({ key: first! }, { text: 'mine' })
          await transaction.commit({ write: advance(`${n}`, 1), with: [touch(second!)] })
        }),
      )
      expect(await tables.runs.count({ filter: { version: 2 } })).toBe(6)
    })

    casesWith('sharing')('hold for exactly one, whoever else has opened the database', async () => {
      const others = await race(3, async () => current().database.open())
      try {
        for (const space of others) commitTables(space)
        for (let version = 1; version <= 5; version++) await raceOf(others, version)
      } finally {
        for (const space of others) await space.close()
      }
    })
  })

  describe('a commit within a transaction', () => {
    beforeEach(prepare)

    itWithTransactions('is a part of it, and undone with it', async () => {
      const { space } = current()
      const before = await allRows(tables)
      const mine = new Error('mine')
      const failing = space.transaction(async transaction => {
        const write = insertInto(SuiteRun, { key: 'b', id: 'mine' })
        const outcome = await transaction.commit({ write, returning: ['id'] })
        expect(outcome).toEqual({ held: true, row: { id: 'mine' } })
        await transaction.commit({ write: advance('a', 1), with: [insertEvents('a', 1)] })
        throw mine
      })
      await expect(failing).rejects.toBe(mine)
      expect(await allRows(tables)).toEqual(before)
    })

    itWithTransactions('leaves it as it was when its condition does not hold', async () => {
      const { space } = current()
      await space.transaction(async transaction => {
        await transaction.table(SuiteType).insertOne({ key: 'x' })
        const lost = { write: advance('a', 5), with: [insertEvents('a', 1)] }
        expect(await transaction.commit(lost)).toEqual({ held: false })
        const taken = { write: insertInto(SuiteRun, { key: 'a' }), with: [insertEvents('a', 2)] }
        expect(await transaction.commit(taken)).toEqual({ held: false })
        const held = { write: advance('a', 1), with: [insertEvents('a', 3)] }
        expect(await transaction.commit(held)).toMatchObject({ held: true })
      })
      expect(await tables.events.findMany({})).toMatchObject([{ seq: 3 }])
      expect(await tables.links.count({})).toBe(1)
    })

    itWithTransactions('ends it when something that goes with it fails', async () => {
      const { space } = current()
      const before = await allRows(tables)
      const careless = space.transaction(async transaction => {
        const write = advance('a', 1)
        await transaction.commit({ write, with: [insertEvents('a', 1, 1)] }).catch(() => {})
        await transaction
          .table(SuiteType)
          .insertOne({ key: 'x' })
          .catch(() => {})
      })
      await expect(careless).rejects.toMatchObject({ code: 'WF_CONFLICT' })
      expect(await allRows(tables)).toEqual(before)
    })

    itWithTransactions('is refused after the end', async () => {
      const escaped = await current().space.transaction(async transaction => transaction)
      const late = escaped.commit({ write: advance('a', 1) })
      await expect(late).rejects.toMatchObject({ code: 'WF_DB_FAILED' })
    })
  })
}
