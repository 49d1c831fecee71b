import { beforeEach, describe, expect, it } from 'vitest'
import { deleteFrom, type DbWrite, insertInto, updateIn } from '../../db'
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
import { SAME_VALUES } from './values.suite'

const CONFLICT = { code: 'WF_CONFLICT' }

/** What must not be written, of every kind one. */
const ALONG: readonly (readonly DbWrite[])[] = [
  [insertEvents('a', 8, 9), insertInto(SuiteType, { key: 'new', text: 'a' })],
  [insertEvents('a', 8), updateIn(SuiteType, { key: 'one' }, { text: 'changed' })],
  [insertEvents('a', 8), deleteFrom(SuiteType, { key: 'one' })],
]

export function describeCommits(current: () => TableFixture, lacks: TableLacks): void {
  const itWithTransactions = casesUnless('describeTable', lacks)('transactions')
  let tables: CommitTables
  const unchanged = async (work: () => Promise<unknown>) => {
    const before = await allRows(tables)
    await work()
    expect(await allRows(tables)).toEqual(before)
  }

  describe('a commit', () => {
    beforeEach(async () => {
      const { runs, events, links } = (tables = commitTables(current().space))
      await events.deleteMany({})
      await runs.deleteMany({})
      await runs.insertMany([
        { key: 'a', version: 7, text: 'paused', data: { at: 1 } },
        { key: 'b', version: 7 },
      ])
      await events.insertOne({ run: 'a', seq: 7, commitId: 'before' })
      await links.insertMany([
        { key: 'one', text: 'a' },
        { key: 'two', text: 'b' },
      ])
    })

    it('writes all when its condition holds, and gives back what was asked for', async () => {
      const { space } = current()
      const patch = { version: 8, text: 'running', flag: true, data: { at: 2 } }
      const outcome = await space.commit({
        commitId: 'c1',
        write: updateIn(SuiteRun, { key: 'a', version: 7, text: 'paused' }, patch),
        returning: ['data', 'version', 'flag', 'long'],
        with: [
          insertEvents('a', 8, 9),
          insertInto(SuiteType, { key: 'new', text: 'a' }),
          deleteFrom(SuiteType, { text: 'a' }),
        ],
      })
      const row = { data: { at: 2 }, version: 8, flag: true, long: null }
      expect(outcome).toEqual({ held: true, row })
      expect(await allRows(tables)).toMatchObject({
        runs: [
          { key: 'a', ...patch, commitId: 'c1' },
          { key: 'b', version: 7, commitId: null },
        ],
        events: [
          { seq: 7, commitId: 'before' },
          { seq: 8, data: { n: 8 }, commitId: 'c1' },
          { seq: 9, data: { n: 9 }, commitId: 'c1' },
        ],
        // What it inserts is not there yet for what it deletes.
        links: [{ key: 'new' }, { key: 'two' }],
      })
    })

    it('writes the row alone when nothing goes with it', async () => {
      const { space } = current()
      expect(await space.commit({ write: advance('a', 7) })).toEqual({ held: true, row: {} })
      const { commitId } = (await tables.runs.findOne({ filter: { key: 'a', version: 8 } }))!
      expect(commitId).toMatch(/^[\da-f-]{36}$/u)
    })

    it.each([
      ['another version', { key: 'a', version: 6 }],
      ['another value', { key: 'a', version: 7, text: 'running' }],
      ['no such row', { key: 'z', version: 7 }],
    ])('writes nothing at all when its condition does not hold: %s', async (_title, filter) => {
      const write = updateIn(SuiteRun, filter, { version: 8 })
      await unchanged(async () => {
        for (const along of ALONG) {
          const commit = { write, returning: ['id'], with: along }
          expect(await current().space.commit(commit)).toEqual({ held: false })
        }
      })
    })

    it('inserts a row with all that goes with it', async () => {
      const { space } = current()
      const outcome = await space.commit({
        commitId: 'c1',
        write: insertInto(SuiteRun, { key: 'c', data: [1], id: 'mine' }),
        returning: ['id', 'version', 'data', 'role'],
        with: [insertEvents('c', 1), deleteFrom(SuiteType, { text: 'b' })],
      })
      const row = { id: 'mine', version: 1, data: [1], role: `it's "quoted"` }
      expect(outcome).toEqual({ held: true, row })
      expect(await tables.runs.findOne({ filter: { key: 'c' } })).toMatchObject({ commitId: 'c1' })
      expect(await tables.events.count({ filter: { commitId: 'c1' } })).toBe(1)
      expect(await tables.links.count({})).toBe(1)
    })

    it.each([
      ['a unique value', { key: 'a', id: 'free' }],
      ['the id', { key: 'free', id: 'taken' }],
    ])('says so when %s of the inserted row is taken, and writes nothing', async (_title, row) => {
      await tables.runs.insertOne({ key: 'x', id: 'taken' })
      await unchanged(async () => {
        const write = insertInto(SuiteRun, row)
        for (const along of ALONG) {
          expect(await current().space.commit({ write, with: along })).toEqual({ held: false })
        }
      })
    })

    it.each([
      ['a unique value is taken', insertEvents('a', 8, 7)],
      ['two of its rows are the same', insertEvents('a', 8, 8)],
      ['an update meets a unique value', updateIn(SuiteType, { text: 'b' }, { key: 'one' })],
    ])('undoes everything when %s', async (_title, failing) => {
      for (const write of [advance('a', 7), insertInto(SuiteRun, { key: 'c' })]) {
        await unchanged(async () => {
          const commit = current().space.commit({
            write,
            with: [insertInto(SuiteType, { key: 'new' }), failing],
          })
          await expect(commit).rejects.toMatchObject(CONFLICT)
        })
      }
    })

    it('can insert what it deletes under the same unique value', async () => {
      const { space } = current()
      const renewed = insertInto(SuiteType, { key: 'one', text: 'renewed' })
      await space.commit({
        write: advance('a', 7),
        with: [renewed, deleteFrom(SuiteType, { key: 'one' })],
      })
      expect(await tables.links.findOne({ filter: { key: 'one' } })).toMatchObject({
        text: 'renewed',
      })
    })

    itWithTransactions(
      'deletes what came before it, also while it waits for the one before',
      async () => {
        const { space } = current()
        // So that there is a second connection, where there are several.
        await race(3, () => tables.links.count({}))
        const adding = space.transaction(async transaction => {
          await transaction.commit({ write: advance('a', 7) })
          const cancelling = space.commit({
            write: updateIn(SuiteRun, { key: 'a' }, { text: 'cancelled' }),
            with: [deleteFrom(SuiteType, { text: 'a' })],
          })
          // By now it waits for the row, wherever rows are waited for.
          for (let n = 0; n < 30; n++) await transaction.table(SuiteType).count({})
          await transaction.table(SuiteType).insertOne({ key: 'late', text: 'a' })
          return { cancelling }
        })
        expect(await (await adding).cancelling).toMatchObject({ held: true })
        expect(await tables.links.count({ filter: { text: 'a' } })).toBe(0)
      },
    )

    it.each(SAME_VALUES)('keeps values as they are: %s', async (_title, values) => {
      const { space } = current()
      const { held, row } = await space.commit({
        write: updateIn(SuiteRun, { key: 'a' }, values),
        returning: Object.keys(values),
        with: [
          insertInto(SuiteType, [
            { key: 'first', ...values },
            { key: 'second', ...values },
          ]),
          updateIn(SuiteType, { key: 'two' }, values),
        ],
      })
      expect({ held, row }).toEqual({ held: true, row: values })
      for (const key of ['first', 'second', 'two']) {
        expect(await tables.links.findOne({ filter: { key } })).toMatchObject(values)
      }
      expect(await tables.runs.findOne({ filter: { key: 'a' } })).toMatchObject(values)
    })

    it('can free the unique value that it finds its row by', async () => {
      const { space } = current()
      await tables.runs.updateMany({ key: 'a' }, { slot: 'S' })
      const outcome = await space.commit({
        write: updateIn(SuiteRun, { slot: 'S', version: 7 }, { slot: null, version: 8 }),
        returning: ['key', 'version', 'slot'],
        with: [insertEvents('a', 8)],
      })
      expect(outcome).toEqual({ held: true, row: { key: 'a', version: 8, slot: null } })
      expect(await tables.events.count({ filter: { run: 'a', seq: 8 } })).toBe(1)
    })

    it('keeps null beside values', async () => {
      const { space } = current()
      const rows = [
        { key: 'x', ratio: null, at: null, flag: null, data: null, text: null },
        { key: 'y', ratio: 0.5, at: 1, flag: false, data: [], text: '' },
      ]
      await space.commit({ write: advance('a', 7), with: [insertInto(SuiteType, rows)] })
      const filter = { key: { $in: ['x', 'y'] } }
      const found = await tables.links.findMany({ filter, controls: { $sort: { key: 1 } } })
      expect(found).toMatchObject(rows)
    })

    it('takes more rows than one statement does, all or none', async () => {
      const { space } = current()
      const many = insertEvents('a', ...Array.from({ length: 3000 }, (_, n) => n + 8))
      await unchanged(async () => {
        const lost = await space.commit({ write: advance('a', 6), with: [many] })
        expect(lost).toEqual({ held: false })
        const taken = space.commit({
          write: advance('a', 7),
          with: [many, insertEvents('b', 1, 1)],
        })
        await expect(taken).rejects.toMatchObject(CONFLICT)
      })
      expect(await space.commit({ write: advance('a', 7), with: [many] })).toMatchObject({
        held: true,
      })
      expect(await tables.events.count({})).toBe(3001)
    })

    it('is not carried out a second time under the same id', async () => {
      const { space } = current()
      const commit = {
        commitId: 'c1',
        write: updateIn(SuiteRun, { key: 'a' }, { text: 'x' }),
        with: [deleteFrom(SuiteType, { text: 'a' })],
      }
      expect(await space.commit(commit)).toMatchObject({ held: true })
      await tables.links.insertOne({ key: 'later', text: 'a' })
      expect(await space.commit(commit)).toEqual({ held: false })
      expect(await tables.links.count({ filter: { text: 'a' } })).toBe(1)
    })

    it('can be looked up by its id', async () => {
      const { space } = current()
      const { runs, events } = tables
      await space.commit({ commitId: 'c1', write: advance('a', 7), with: [insertEvents('a', 8)] })
      expect(await runs.hasCommit('c1', { key: 'a' })).toBe(true)
      expect(await runs.hasCommit('c1', { key: 'b' })).toBe(false)
      expect(await runs.hasCommit('c2', { key: 'a' })).toBe(false)
      await space.commit({ commitId: 'c2', write: advance('a', 8), with: [insertEvents('a', 9)] })
      // A row remembers its last commit, a table that only grows all of them.
      expect(await runs.hasCommit('c1', { key: 'a' })).toBe(false)
      expect(await events.hasCommit('c1', { run: 'a' })).toBe(true)
      expect(await events.hasCommit('c3', { run: 'a' })).toBe(false)
      const without = tables.links.hasCommit('c1', {})
      await expect(without).rejects.toMatchObject({ code: 'WF_CONFIG' })
    })
  })
}
