import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import mysql from 'mysql2'
import mysqlPromise from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { suiteType, SuiteType } from '../../src/testing/table/suite-type'
import { mysqlDatabase, postgresDatabase } from '../support/databases'

async function postgres() {
  const database = await postgresDatabase()
  onTestFinished(database.drop)
  return database.url
}

async function mariadb() {
  const database = await mysqlDatabase()
  onTestFinished(database.drop)
  return database.url
}

const id = { of: 'string', annotations: { 'meta.id': true } } as const

describe('PostgreSQL', () => {
  it('works on a pool that is handed over', async () => {
    const space = openPostgres(new pg.Pool({ connectionString: await postgres() }))
    const table = space.table(SuiteType)
    await space.sync()
    await table.insertOne({ key: 'a', flag: true })
    expect(await table.takeOne({ key: 'a' })).toMatchObject({ flag: true })
    await space.close()
  })

  it('ends a pool that was never used', async () => {
    const pool = new pg.Pool({ connectionString: await postgres() })
    await openPostgres(pool).close()
    expect(pool.ended).toBe(true)
  })

  it('survives an idle connection that the server ends', async () => {
    const url = await postgres()
    const pool = new pg.Pool({ connectionString: url })
    const space = openPostgres(pool)
    const table = space.table(SuiteType)
    await space.sync()
    const admin = new pg.Client(url)
    await admin.connect()
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await admin.end()
    await expect.poll(() => table.count({ filter: {} }).catch(() => -1)).toBe(0)
    await space.close()
  })

  it('does not go on with a connection whose rollback has failed', async () => {
    const url = await postgres()
    const space = openPostgres(url, { maxConnections: 1, timeoutMs: 300 })
    const table = space.table(SuiteType)
    await space.sync()
    await table.insertOne({ key: 'a' })
    const blocker = new pg.Client(url)
    await blocker.connect()
    await blocker.query(`begin; delete from suite_rows where key = 'a'`)
    const blocked = space.transaction(tx => tx.table(SuiteType).deleteMany({ key: 'a' }))
    await expect(blocked).rejects.toMatchObject({ code: 'WF_DB_UNAVAILABLE' })
    await blocker.query('rollback')
    await table.insertOne({ key: 'b' })
    const { rows } = await blocker.query('select key from suite_rows order by key')
    expect(rows).toEqual([{ key: 'a' }, { key: 'b' }])
    await blocker.end()
    await space.close()
  })

  it('goes on when someone changes the type of a column', async () => {
    const url = await postgres()
    const space = openPostgres(url, { maxConnections: 1 })
    const table = space.table(SuiteType)
    await space.sync()
    await table.insertOne({ key: 'a', ratio: 5 })
    await table.findOne({ filter: { key: 'a' } })
    const client = new pg.Client(url)
    await client.connect()
    await client.query('alter table suite_rows alter column ratio type numeric')
    await client.end()
    expect(await table.findOne({ filter: { key: 'a' } })).toMatchObject({ ratio: 5 })
    await space.close()
  })

  it('creates tables in a schema with capitals, and finds those of the search path', async () => {
    const url = await postgres()
    const client = new pg.Client(url)
    await client.connect()
    await client.query('create schema "My Tenant"')
    const options = encodeURIComponent(
      '-c search_path="My\\ Tenant",public -c default_transaction_isolation=serializable',
    )
    const tenant = () => openPostgres(`${url}?options=${options}`)
    const steps = await Promise.all(
      [1, 2, 3].map(async () => {
        const space = tenant()
        space.table(SuiteType)
        const done = await space.sync().finally(() => space.close())
        return done.length
      }),
    )
    expect(steps.filter(count => count > 0)).toHaveLength(1)
    const { rows } = await client.query(
      `select schemaname from pg_tables where tablename = 'suite_rows'`,
    )
    expect(rows).toEqual([{ schemaname: 'My Tenant' }])
    await client.query('create table public.elsewhere (id text collate "C" primary key)')
    const space = tenant()
    space.table(suiteType('elsewhere', { id }))
    expect(await space.sync()).toEqual([])
    await space.close()
    await client.end()
  })

  it('does not take a partial index for a whole one', async () => {
    const url = await postgres()
    const space = openPostgres(url)
    space.table(SuiteType)
    await space.sync()
    const client = new pg.Client(url)
    await client.connect()
    await client.query('drop index suite_rows__key_idx')
    await client.query('create unique index suite_rows__key_idx on suite_rows (key) where flag')
    await expect(space.sync()).rejects.toMatchObject({
      code: 'WF_DB_SCHEMA',
      message: expect.stringContaining('partial or invalid'),
    })
    await client.end()
    await space.close()
  })

  it('tells a sparse index from one of all rows', async () => {
    const url = await postgres()
    const space = openPostgres(url)
    space.table(SuiteType)
    await space.sync()
    const client = new pg.Client(url)
    await client.connect()
    await client.query('drop index suite_rows__text_idx')
    await client.query(
      'create index suite_rows__text_idx on suite_rows (text) where text is not null',
    )
    await expect(space.sync()).rejects.toMatchObject({
      code: 'WF_DB_SCHEMA',
      message: expect.stringContaining('is sparse on (text), not plain on (text)'),
    })
    await client.end()
    await space.close()
  })

  it.each(['nonsense', 'mysql://root@localhost/x', '', 'postgres//u:secret@h/d'])(
    'says what a URL looks like instead of %j, without showing it',
    url => {
      const open = () => openPostgres(url)
      expect(open).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
      expect(open).not.toThrow(/secret/u)
    },
  )
})

const describeMariadb = inject('mysqlUrl') ? describe : describe.skip

describeMariadb(
  `MariaDB${inject('mysqlUrl') ? '' : ' (skipped: no server answers; see CONTRIBUTING.md)'}`,
  () => {
    it.each([
      ['a pool', (url: string) => mysql.createPool(url)],
      ['a pool of promises', (url: string) => mysqlPromise.createPool(url)],
    ])('works on %s that is handed over', async (_title, create) => {
      const space = openMysql(create(await mariadb()))
      const table = space.table(SuiteType)
      await space.sync()
      await table.insertOne({ key: 'a', flag: true })
      expect(await table.takeOne({ key: 'a' })).toMatchObject({ flag: true })
      await space.close()
    })

    it.each([
      ['rows as lists', { rowsAsArray: true }],
      ['another way to count', { flags: ['-FOUND_ROWS'] }],
    ])('refuses a pool with %s', (_title, options) => {
      const pool = mysql.createPool({ uri: inject('mysqlUrl')!, ...options })
      onTestFinished(() => pool.end())
      expect(() => openMysql(pool)).toThrow(expect.objectContaining({ code: 'WF_CONFIG' }))
    })

    it('needs no second connection to begin with a transaction', async () => {
      const url = await mariadb()
      const first = openMysql(url)
      first.table(SuiteType)
      await first.sync()
      await first.close()
      const space = openMysql(url, { maxConnections: 1 })
      const taken = space.transaction(tx => tx.table(SuiteType).takeOne({ key: 'a' }))
      expect(await taken).toBeNull()
      await space.close()
    })

    it('gives up on a statement that takes too long, and goes on with another connection', async () => {
      const url = await mariadb()
      const space = openMysql(url, { maxConnections: 1, timeoutMs: 300 })
      const table = space.table(SuiteType)
      await space.sync()
      await table.insertOne({ key: 'a' })
      const blocker = await mysqlPromise.createConnection(url)
      await blocker.query('begin')
      await blocker.query('select * from suite_rows for update')
      const unavailable = { code: 'WF_DB_UNAVAILABLE' }
      await expect(table.takeOne({ key: 'a' })).rejects.toMatchObject(unavailable)
      const blocked = space.transaction(tx => tx.table(SuiteType).deleteMany({ key: 'a' }))
      await expect(blocked).rejects.toMatchObject(unavailable)
      await blocker.end()
      expect(await table.count({ filter: { key: 'b' } })).toBe(0)
      await space.close()
    })

    it('keeps only those statements prepared that come again', async () => {
      const pool = mysql.createPool({ uri: await mariadb(), connectionLimit: 1 })
      const space = openMysql(pool)
      const table = space.table(SuiteType)
      await space.sync()
      for (let $skip = 0; $skip < 100; $skip++) {
        await table.findMany({ filter: {}, controls: { $skip, $limit: 5 } })
        await table.count({ filter: { key: { $in: Array.from({ length: $skip }, () => 'a') } } })
        await table.insertMany(Array.from({ length: $skip }, (_, n) => ({ key: `${$skip}.${n}` })))
      }
      const [status] = await pool.promise().query(`show session status like 'Com_stmt_%'`)
      const counts = Object.fromEntries(
        (status as { Variable_name: string; Value: string }[]).map(row => [
          row.Variable_name,
          Number(row.Value),
        ]),
      )
      expect(counts.Com_stmt_prepare).toBeGreaterThan(200)
      expect(counts.Com_stmt_prepare! - counts.Com_stmt_close!).toBeLessThan(10)
      await space.close()
    })

    it('refuses a unique index that is not described, into which an upsert could run', async () => {
      const url = await mariadb()
      const unique = {
        of: 'string',
        optional: true,
        annotations: { 'db.index.unique': [{}], 'expect.maxLength': 50 },
      } as const
      const before = openMysql(url)
      before.table(suiteType('t', { id, email: unique }))
      await before.sync()
      await before.close()
      const after = openMysql(url)
      after.table(
        suiteType('t', {
          id,
          email: {
            of: 'string',
            optional: true,
            annotations: { 'db.index.plain': [{}], 'expect.maxLength': 50 },
          },
        }),
      )
      await expect(after.sync()).rejects.toMatchObject({
        code: 'WF_DB_SCHEMA',
        message: expect.stringContaining('"t__email_unique" is not described'),
      })
      await after.close()
    })

    it('shows no value in the error of a column that someone has changed', async () => {
      const url = await mariadb()
      const space = openMysql(url)
      const table = space.table(SuiteType)
      await space.sync()
      const connection = await mysqlPromise.createConnection(url)
      await connection.query('alter table suite_rows modify `long` int')
      await connection.end()
      const error = (await table
        .insertOne({ key: 'a', long: 'my-secret' })
        .catch((e: unknown) => e)) as Error
      expect(error).toMatchObject({ code: 'WF_DB_ROW' })
      expect(`${error.message} ${String(error.cause)}`).not.toContain('secret')
      await space.close()
    })

    it('says what a URL looks like, without showing one', () => {
      expect(() => openMysql('mysql//u:secret@h')).toThrow(/is not a URL/u)
      expect(() => openMysql('mysql//u:secret@h')).not.toThrow(/secret/u)
    })
  },
)
