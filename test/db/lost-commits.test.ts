import {
  type DbSpace,
  type DbUpdate,
  deleteFrom,
  type DbWrite,
  insertInto,
  updateIn,
} from '@atscript/moost-wf/db'
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import {
  advance,
  type CommitTables,
  commitTables,
  insertEvents,
  SuiteRun,
} from '../../src/testing/table/commit-types'
import { SuiteType } from '../../src/testing/table/suite-type'
import { type CuttableProxy, cuttableProxy } from '../support/cuttable-proxy'
import { mysqlDatabase, postgresDatabase, type TestDatabase } from '../support/databases'

const ONE = { maxConnections: 1 }
const POSTGRES = {
  name: 'PostgreSQL',
  create: postgresDatabase,
  open: (url: string) => openPostgres(url, ONE),
  answers: 1,
}
const servers = inject('mysqlUrl')
  ? [
      POSTGRES,
      {
        name: 'MariaDB',
        create: mysqlDatabase,
        open: (url: string) => openMysql(url, ONE),
        answers: 1,
      },
      {
        name: 'MariaDB, as MySQL would be',
        create: mysqlDatabase,
        open: (url: string) => openMysql(url, { ...ONE, returning: false }),
        // Begin, update, delete, insert, commit.
        answers: 5,
      },
    ]
  : [POSTGRES]

const UNAVAILABLE = { code: 'WF_DB_UNAVAILABLE' }
/** More than any commit here consists of. */
const ANSWERS = 8

describe.each(servers)('a commit whose answer is lost, on $name', ({ create, open, answers }) => {
  let database: TestDatabase
  let proxy: CuttableProxy
  /** Behind the proxy. */
  let space: DbSpace
  /** Someone who is not cut off. */
  let other: DbSpace
  let tables: CommitTables

  beforeAll(async () => {
    database = await create()
    other = database.open()
    tables = commitTables(other)
    await other.sync()
  })
  afterAll(async () => {
    await other.close()
    await database.drop()
  })
  beforeEach(async () => {
    const { runs, events, links } = tables
    await Promise.all([runs.deleteMany({}), events.deleteMany({}), links.deleteMany({})])
    await runs.insertMany(['a', 'warm'].map(key => ({ key, version: 7 })))
    await links.insertOne({ key: 'link', text: 'a' })
    const url = new URL(database.url)
    proxy = await cuttableProxy(new URL(database.url))
    url.port = String(proxy.port)
    space = open(url.href)
  })
  afterEach(async () => {
    await proxy.mend().catch(() => {})
    await space.close()
    await proxy.close()
  })

  const along = (run: string) => [insertEvents(run, 8, 9), deleteFrom(SuiteType, { text: run })]
  /** Prepares its statements, so that the answer that is lost is that of the commit. */
  const warmUp = (write: (key: string) => DbWrite, parts = along, returning: string[] = []) =>
    space.commit({ write: write('warm') as DbUpdate, with: parts('warm'), returning })
  const isThere = async () => ({
    events: await tables.events.count({ filter: { run: 'a' } }),
    links: await tables.links.count({}),
  })
  const ALL = { events: 2, links: 0 }
  const NOTHING = { events: 0, links: 1 }
  const whileAway = async <R>(committing: Promise<R>, meanwhile: () => Promise<unknown>) => {
    const settled = committing.catch((error: unknown) => error)
    await meanwhile()
    await proxy.mend()
    return settled
  }
  /** Sends a commit whose last answer is lost, and lets `meanwhile` happen before it can be sent again. */
  const loseAnswer = async <R>(
    commit: () => Promise<R>,
    meanwhile: () => Promise<unknown>,
    count = answers,
  ) => {
    const lost = proxy.cutBeforeNextAnswer(count - 1)
    const committing = commit()
    committing.catch(() => {})
    await lost
    await proxy.cut()
    return whileAway(committing, meanwhile)
  }
  /** Sends a commit that does not arrive, and lets `meanwhile` happen before it is sent again. */
  const loseCommit = async <R>(commit: () => Promise<R>, meanwhile: () => Promise<unknown>) => {
    await proxy.cut()
    return whileAway(commit(), meanwhile)
  }

  it.each(Array.from({ length: ANSWERS }, (_, n) => n))(
    'is carried out once and known to be, whichever answer of it is lost: %i',
    async passing => {
      await warmUp(key => advance(key, 7))
      void proxy.cutBeforeNextAnswer(passing)
      const returning = ['version', 'commitId']
      const outcome = await space.commit({
        commitId: 'c1',
        write: advance('a', 7),
        returning,
        with: along('a'),
      })
      expect(outcome).toEqual({ held: true, row: { version: 8, commitId: 'c1' } })
      expect(await isThere()).toEqual(ALL)
    },
  )

  it('is known when it was an insert', async () => {
    const write = insertInto(SuiteRun, { key: 'new', id: 'mine' })
    await warmUp(key => insertInto(SuiteRun, { key: `${key}er` }))
    void proxy.cutBeforeNextAnswer()
    const outcome = await space.commit({ write, returning: ['id'], with: along('a') })
    expect(outcome).toEqual({ held: true, row: { id: 'mine' } })
    expect(await isThere()).toEqual(ALL)
  })

  it('is known when its condition could hold again', async () => {
    const write = (key: string) => updateIn(SuiteRun, { key }, { text: 'touched' })
    await warmUp(write, () => [])
    // The last answer of those that there are.
    for (let passing = 0; passing < ANSWERS; passing++) {
      const commitId = `c${passing}`
      void proxy.cutBeforeNextAnswer(passing)
      const outcome = await space
        .commit({ commitId, write: write('a'), returning: ['commitId'] })
        .catch((error: unknown) => error)
      const isKept = await tables.runs.hasCommit(commitId, { key: 'a' })
      if (isKept) expect(outcome).toEqual({ held: true, row: { commitId } })
      else expect(outcome).toMatchObject(UNAVAILABLE)
    }
    expect(await tables.runs.hasCommit(`c${ANSWERS - 1}`, { key: 'a' })).toBe(true)
  })

  it('is sent again when it never arrived', async () => {
    await warmUp(key => advance(key, 7))
    await proxy.cut()
    const committing = space.commit({ write: advance('a', 7), with: along('a') })
    expect(await isThere()).toEqual(NOTHING)
    await proxy.mend()
    expect(await committing).toEqual({ held: true, row: {} })
    expect(await isThere()).toEqual(ALL)
  })

  it('is not sent again when its condition could hold again', async () => {
    const write = (key: string) => updateIn(SuiteRun, { key }, { text: 'touched' })
    await warmUp(write)
    const committing = () => space.commit({ write: write('a'), with: along('a') })
    const outcome = await loseCommit(committing, async () => {
      // By then it has been refused.
      for (let n = 0; n < 30; n++) await tables.links.count({})
    })
    expect(outcome).toMatchObject(UNAVAILABLE)
    expect(await isThere()).toEqual(NOTHING)
  })

  it('is an error when the database stays away', async () => {
    await warmUp(key => advance(key, 7))
    await proxy.cut()
    const committing = space.commit({ write: advance('a', 7), with: along('a') })
    await expect(committing).rejects.toMatchObject(UNAVAILABLE)
    expect(await isThere()).toEqual(NOTHING)
  })

  it('is the business of the transaction that it is a part of', async () => {
    const broken = space.transaction(async transaction => {
      await proxy.cut()
      await transaction.commit({ write: advance('a', 7), with: along('a') })
    })
    await expect(broken).rejects.toMatchObject(UNAVAILABLE)
    expect(await isThere()).toEqual(NOTHING)
  })

  describe('while another one comes', () => {
    const overtake = (version: number) => () => other.commit({ write: advance('a', version) })
    const commit = { write: advance('a', 7), with: [...along('a')] }
    const alone = { write: advance('a', 7), with: [deleteFrom(SuiteType, { text: 'a' })] }
    beforeEach(async () => {
      await warmUp(key => advance(key, 7))
    })

    it('is known by the rows that it has inserted', async () => {
      const outcome = await loseAnswer(() => space.commit(commit), overtake(8))
      expect(outcome).toEqual({ held: true, row: {} })
      expect(await isThere()).toEqual(ALL)
    })

    it('does not give out what the other one has written', async () => {
      const returning = ['version']
      await warmUp(
        key => advance(key, 8),
        () => [insertEvents('warm', 10, 11), along('warm')[1]!],
        returning,
      )
      // Where a commit has several answers, the row is one more.
      const count = answers === 1 ? 1 : answers + 1
      const asking = () => space.commit({ ...commit, returning })
      const outcome = await loseAnswer(asking, overtake(8), count)
      expect(outcome).toMatchObject(UNAVAILABLE)
      expect(await isThere()).toEqual(ALL)
    })

    it('has not been carried out when none of its rows is there', async () => {
      const outcome = await loseCommit(() => space.commit(commit), overtake(7))
      expect(outcome).toEqual({ held: false })
      expect(await isThere()).toEqual(NOTHING)
    })

    it('is not guessed when it has inserted none', async () => {
      const overwritten = await loseCommit(() => space.commit(alone), overtake(7))
      expect(overwritten).toMatchObject(UNAVAILABLE)
    })

    it('is refused when the other one has taken a unique value', async () => {
      const outcome = await loseCommit(
        () => space.commit(commit),
        () => tables.events.insertOne({ run: 'a', seq: 9 }),
      )
      expect(outcome).toMatchObject({ code: 'WF_CONFLICT' })
      expect(await isThere()).toEqual({ events: 1, links: 1 })
    })
  })
})
