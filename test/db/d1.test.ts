import {
  deleteFrom,
  type DbSpace,
  insertInto,
  migrationText,
  updateIn,
} from '@atscript/moost-wf/db'
import { type D1Binding, openD1 } from '@atscript/moost-wf/db/d1'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { d1Failure } from '../../src/db/d1/d1-failure'
import {
  advance,
  allRows,
  type CommitTables,
  commitTables,
  insertEvents,
  SuiteRun,
} from '../../src/testing/table/commit-types'
import { SuiteType, suiteType } from '../../src/testing/table/suite-type'
import { d1Database } from '../support/d1-database'
import { openFile } from '../support/databases'

const LOST = new Error('D1_ERROR: Network connection lost.')

/** A binding of which a batch fails: before it arrives, or once it was carried out. */
function breaking(binding: D1Binding) {
  const breaks: ('before' | 'after')[] = []
  const batch: D1Binding['batch'] = async statements => {
    const when = breaks.shift()
    if (when === 'before') throw LOST
    const answers = await binding.batch(statements)
    if (when === 'after') throw LOST
    return answers
  }
  return { breaks, binding: { prepare: (sql: string) => binding.prepare(sql), batch } }
}

describe('D1', () => {
  let database: Awaited<ReturnType<typeof d1Database>>
  let space: DbSpace
  let tables: CommitTables

  beforeAll(async () => {
    database = await d1Database()
    space = database.open()
    tables = commitTables(space)
    await space.sync()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    const { runs, events, links } = tables
    await Promise.all([runs.deleteMany({}), events.deleteMany({}), links.deleteMany({})])
    await runs.insertOne({ key: 'a', version: 7 })
    await links.insertOne({ key: 'old', text: 'a' })
  })

  const change = () => ({
    write: advance('a', 7),
    with: [insertEvents('a', 8), deleteFrom(SuiteType, { text: 'a' })],
  })

  it('is the binding that miniflare gives out, too', async () => {
    const given = await database.miniflare.getD1Database('DB')
    const direct = openD1(given)
    const theirs = commitTables(direct)
    expect(await direct.sync()).toEqual([])
    expect(await theirs.runs.findOne({ filter: { key: 'a' } })).toMatchObject({ version: 7 })
    expect(await direct.commit({ ...change(), returning: ['version'] })).toEqual({
      held: true,
      row: { version: 8 },
    })
    expect(await direct.commit(change())).toEqual({ held: false })
    const taken = theirs.runs.insertOne({ key: 'a' })
    await expect(taken).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    expect(await theirs.runs.takeOne({ key: 'a' })).toMatchObject({ version: 8, flag: null })
  })

  it.each([undefined, null, {}, 'app.db', { prepare: () => {} }])('is not %j', binding => {
    expect(() => openD1(binding as never)).toThrow(
      expect.objectContaining({
        code: 'WF_CONFIG',
        message: expect.stringMatching(/d1_databases/u),
      }),
    )
  })

  it('says that it has no transactions, and what to do instead', async () => {
    const refused = { code: 'WF_CONFIG', message: expect.stringMatching(/space\.commit\(\)/u) }
    expect(space.hasTransactions).toBe(false)
    expect(tables.runs.hasTransactions).toBe(false)
    await expect(space.transaction(async () => {})).rejects.toMatchObject(refused)
    await expect(tables.runs.transaction(async () => {})).rejects.toMatchObject(refused)
  })

  describe('a commit that is sent a second time', () => {
    const again = {
      ...change(),
      commitId: 'c1',
      write: updateIn(SuiteRun, { key: 'a' }, { text: 'x' }),
    }

    it('does nothing, also to what has come meanwhile', async () => {
      expect(await space.commit(again)).toEqual({ held: true, row: {} })
      await tables.links.insertOne({ key: 'new', text: 'a' })
      const before = await allRows(tables)
      expect(await space.commit(again)).toEqual({ held: false })
      expect(await allRows(tables)).toEqual(before)
    })

    it('does nothing when it is an insert', async () => {
      const write = insertInto(SuiteRun, { id: 'b', key: 'b' })
      const insert = { ...change(), write, commitId: 'c2' }
      expect(await space.commit(insert)).toMatchObject({ held: true })
      await tables.links.insertOne({ key: 'new', text: 'a' })
      const before = await allRows(tables)
      expect(await space.commit(insert)).toEqual({ held: false })
      expect(await allRows(tables)).toEqual(before)
    })
  })

  describe('a commit whose answer is lost', () => {
    it('is known to have been carried out, once', async () => {
      const { breaks, binding } = breaking(database.binding)
      breaks.push('after')
      const outcome = await openD1(binding).commit({ ...change(), returning: ['version'] })
      expect(outcome).toEqual({ held: true, row: { version: 8 } })
      expect(await tables.events.count({})).toBe(1)
    })

    it('is carried out when it had not arrived', async () => {
      const { breaks, binding } = breaking(database.binding)
      breaks.push('before', 'before')
      expect(await openD1(binding).commit(change())).toMatchObject({ held: true })
      expect(await tables.events.count({})).toBe(1)
    })

    it('is told from one that somebody else has overtaken', async () => {
      const { breaks, binding } = breaking(database.binding)
      breaks.push('before')
      await space.commit({ write: advance('a', 7) })
      expect(await openD1(binding).commit(change())).toEqual({ held: false })
      expect(await tables.events.count({})).toBe(0)
    })

    it('is an error where nobody can know', async () => {
      const { breaks, binding } = breaking(database.binding)
      breaks.push('before')
      const unpinned = updateIn(SuiteRun, { key: 'a' }, { text: 'x' })
      const commit = openD1(binding).commit({ ...change(), write: unpinned })
      await expect(commit).rejects.toMatchObject({ code: 'WF_DB_UNAVAILABLE' })
    })
  })

  it('undoes a batch of which one statement fails', async () => {
    const rows = Array.from({ length: 30 }, (_, n) => ({ key: `${n}` }))
    const failing = tables.links.insertMany([...rows, { key: 'old' }])
    await expect(failing).rejects.toMatchObject({ code: 'WF_CONFLICT' })
    expect(await tables.links.count({})).toBe(1)
    expect(await tables.links.insertMany(rows)).toMatchObject({ insertedCount: 30 })
  })

  it('takes a filter with more values than a statement takes', async () => {
    const keys = Array.from({ length: 999 }, (_, n) => `k${n}`)
    expect(await tables.links.count({ filter: { key: { $in: [...keys, 'old'] } } })).toBe(1)
    const both = { key: { $in: ['old', ...keys] }, text: { $in: [...keys, 'a'] } }
    expect(await tables.links.findOne({ filter: both })).toMatchObject({ key: 'old' })
  })

  it('refuses a filter that is nested deeper than D1 takes, and says so', async () => {
    let filter: object = { key: 'old' }
    for (let depth = 0; depth < 19; depth++) {
      const others = Array.from({ length: 9 }, (_, n) => ({ key: `${n}` }))
      filter = depth % 2 ? { $or: [filter, ...others] } : { $and: [filter, ...others] }
    }
    await expect(tables.links.count({ filter })).rejects.toMatchObject({
      code: 'WF_DB_FILTER',
      message: expect.stringMatching(/nested too deep for D1/u),
    })
  })

  it('refuses what is larger than D1 keeps, which its stand-in would take', async () => {
    const refused = { code: 'WF_DB_ROW', message: expect.stringMatching(/2 MB/u) }
    const insert = (data: string) => tables.links.insertOne({ key: 'big', data })
    await expect(insert('x'.repeat(2_000_000))).rejects.toMatchObject(refused)
    await expect(insert('€'.repeat(700_000))).rejects.toMatchObject(refused)
    expect(await insert('x'.repeat(1_999_998))).toHaveProperty('insertedId')
    const commit = space.commit({
      write: advance('a', 7),
      with: [insertInto(SuiteType, { key: 'more', data: 'x'.repeat(2_000_000) })],
    })
    await expect(commit).rejects.toMatchObject(refused)
    expect(await tables.runs.findOne({ filter: { key: 'a' } })).toMatchObject({ version: 7 })
  })

  it.each([
    ['D1_ERROR: UNIQUE constraint failed: t.id: SQLITE_CONSTRAINT', 'conflict'],
    ['D1_ERROR: no such table: t: SQLITE_ERROR', 'not synced'],
    ['D1_ERROR: string or blob too big: SQLITE_TOOBIG', 'unfit'],
    ['D1_ERROR: cannot store TEXT value in INTEGER column t.n: SQLITE_CONSTRAINT', 'unfit'],
    ['D1_ERROR: near "x": syntax error at offset 1: SQLITE_ERROR', 'other'],
    [`D1_TYPE_ERROR: Type 'undefined' not supported`, 'other'],
    ['D1_ERROR: database or disk is full: SQLITE_FULL', 'unavailable'],
    ['D1_ERROR: Network connection lost.', 'unavailable'],
    ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', 'unavailable'],
    [
      'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
      'unavailable',
    ],
    ['internal error; reference = x', 'unavailable'],
  ])('knows what "%s" means', (message, kind) => {
    expect(d1Failure(new Error(message))).toBe(kind)
  })

  it('takes the migrations that SQLite prints, and has nothing left to do then', async () => {
    const before = suiteType('migrated', { id: { of: 'string', annotations: { 'meta.id': true } } })
    const after = suiteType('migrated', {
      id: { of: 'string', annotations: { 'meta.id': true } },
      role: { of: 'string', annotations: { 'db.default': `it's; a`, 'db.index.plain': [{}] } },
    })
    const migrations: string[] = []
    for (const type of [before, after]) {
      const file = openFile(':memory:')
      for (const migration of migrations) file.exec(migration)
      const local = openSqlite(file)
      local.table(type)
      migrations.push(migrationText(await local.sync({ dryRun: true })))
      await local.close()
    }
    expect(migrations[0]).toMatch(
      /^-- migrated: creates the table "migrated"\ncreate table [^;]+;\n$/u,
    )
    expect(migrations[1]).toMatch(/^-- migrated: adds the column "role"\nalter table/u)
    expect(migrationText([])).toBe('')

    const { miniflare } = database
    const given = await miniflare.getD1Database('DB')
    for (const migration of migrations) await given.exec(migration.replaceAll(/^--.*\n/gmu, ''))
    const migrated = openD1(database.binding)
    const rows = migrated.table(after)
    expect(await migrated.sync()).toEqual([])
    await rows.insertOne({ id: '1' })
    expect(await rows.findMany({})).toEqual([{ id: '1', role: `it's; a` }])
  })
})
