import { beforeEach, describe, expect, it } from 'vitest'
import { type DbCommit, deleteFrom, insertInto, updateIn } from '../../db'
import { advance, allRows, type CommitTables, commitTables, SuiteRun } from './commit-types'
import { SuiteType, suiteType } from './suite-type'
import type { TableFixture } from './table-database'

const NO_TABLE = { ...suiteType('x', {}), metadata: new Map() }

/** Each is refused before there is any SQL. */
const REFUSED: readonly (readonly [string, string, object])[] = [
  [
    'a condition that can match many rows',
    'WF_DB_FILTER',
    { write: updateIn(SuiteRun, { version: 1 }, { version: 2 }) },
  ],
  [
    'a condition on a list of rows',
    'WF_DB_FILTER',
    { write: updateIn(SuiteRun, { key: { $in: ['a'] } }, { version: 2 }) },
  ],
  [
    'a condition on an unknown column',
    'WF_DB_FILTER',
    { write: updateIn(SuiteRun, { key: 'a', nope: 1 }, { version: 2 }) },
  ],
  [
    'no condition',
    'WF_DB_FILTER',
    { write: updateIn(SuiteRun, undefined as never, { version: 2 }) },
  ],
  [
    'a row that does not fit',
    'WF_DB_ROW',
    { write: updateIn(SuiteRun, { key: 'a' }, { at: Number.NaN }) },
  ],
  ['an inserted row that does not fit', 'WF_DB_ROW', { write: insertInto(SuiteRun, { nope: 1 }) }],
  ['no row', 'WF_DB_ROW', { write: insertInto(SuiteRun, []) }],
  [
    'two rows where one is written',
    'WF_DB_ROW',
    { write: insertInto(SuiteRun, [{ key: 'x' }, { key: 'y' }]) },
  ],
  ['a delete where a row is written', 'WF_DB_ROW', { write: deleteFrom(SuiteRun, { key: 'a' }) }],
  [
    'a row whose table keeps no commit',
    'WF_CONFIG',
    { write: updateIn(SuiteType, { key: 'one' }, { text: 'x' }) },
  ],
  ['no table', 'WF_CONFIG', { write: insertInto(NO_TABLE, { key: 'x' }) }],
  ['an unknown column to give back', 'WF_DB_ROW', { write: advance('a', 1), returning: ['nope'] }],
  ['an id that is no text', 'WF_DB_ROW', { write: advance('a', 1), commitId: 5 }],
  ['an id that is empty', 'WF_DB_ROW', { write: advance('a', 1), commitId: '' }],
  ['an id that cannot be stored', 'WF_DB_ROW', { write: advance('a', 1), commitId: 'a\0' }],
  [
    'a row beside it that does not fit',
    'WF_DB_ROW',
    { write: advance('a', 1), with: [insertInto(SuiteType, [{ key: 'ok' }, { key: 5 }])] },
  ],
  [
    'a filter beside it that is none',
    'WF_DB_FILTER',
    { write: advance('a', 1), with: [deleteFrom(SuiteType, undefined as never)] },
  ],
  [
    'a column beside it that is not there',
    'WF_DB_FILTER',
    { write: advance('a', 1), with: [updateIn(SuiteType, { nope: 1 }, { text: 'x' })] },
  ],
  [
    'two changes of one table, which could meet',
    'WF_DB_ROW',
    {
      write: advance('a', 1),
      with: [
        deleteFrom(SuiteType, { key: 'one' }),
        updateIn(SuiteType, { key: 'two' }, { text: '' }),
      ],
    },
  ],
  [
    'a change of the table that the row is of',
    'WF_DB_ROW',
    { write: advance('a', 1), with: [deleteFrom(SuiteRun, { key: 'b' })] },
  ],
  ['what is no write', 'WF_DB_ROW', { write: advance('a', 1), with: [{}] }],
  ['nothing to write', 'WF_DB_ROW', {}],
]

export function describeRefusedCommits(current: () => TableFixture): void {
  let tables: CommitTables
  describe('a commit is refused, and nothing is written:', () => {
    beforeEach(async () => {
      tables = commitTables(current().space)
      await tables.events.deleteMany({})
      await tables.runs.deleteMany({})
      await tables.runs.insertMany([{ key: 'a' }, { key: 'b' }])
      await tables.links.insertMany([{ key: 'one' }, { key: 'two' }])
    })

    it.each(REFUSED)('%s', async (_title, code, commit) => {
      const before = await allRows(tables)
      const refused = current().space.commit(commit as DbCommit<object>)
      await expect(refused).rejects.toMatchObject({ code })
      expect(await allRows(tables)).toEqual(before)
    })
  })
}
