import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMysql, type OpenMysqlOptions } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { DbSpace } from '@atscript/moost-wf/db'
import { openSqlite, type SqliteDatabase } from '@atscript/moost-wf/db/sqlite'
import type { Clock } from '@atscript/moost-wf/store'
import type { TableDatabase } from '@atscript/moost-wf/testing'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { inject } from 'vitest'
import { d1Database } from './d1-database'
import { SqliteDriver } from '../../src/db/sqlite/sqlite-driver'
import { sqliteEngine } from '../../src/db/sqlite/sqlite-engine'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  DatabaseSync: new (path: string) => SqliteDatabase
}

/** An empty database of its own, and where it is. */
export interface TestDatabase extends TableDatabase {
  readonly url: string
  /** @param options with the clock that `now()` of the space goes by */
  open(options?: { readonly clock?: Clock | undefined }): DbSpace
  drop(): Promise<void>
}

const newName = () => `wf_test_${randomBytes(6).toString('hex')}`

export async function sqliteDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'moost-wf-sqlite-'))
  const url = join(folder, 'test.db')
  return {
    url,
    open: options => openSqlite(url, options),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** An SQLite file by itself, without a space. */
export function openFile(url: string): SqliteDatabase {
  const database = new DatabaseSync(url)
  database.exec('pragma journal_mode = wal; pragma busy_timeout = 20')
  return database
}

/** SQLite with as few parameters as D1 has. A statement with more fails, as it would there. */
export async function fewParametersDatabase(maxParameters: number): Promise<TestDatabase> {
  const database = await sqliteDatabase()
  const open = () => {
    const opened = refusing(openFile(database.url), maxParameters)
    const driver = new SqliteDriver({ database: opened, busyTimeoutMs: 5000 })
    return new DbSpace({ ...sqliteEngine(driver), maxParameters })
  }
  return { ...database, open }
}

function refusing(database: SqliteDatabase, maxParameters: number): SqliteDatabase {
  const checked = <V extends unknown[]>(values: V): V => {
    if (values.length > maxParameters) throw new Error(`too many SQL variables: ${values.length}`)
    return values
  }
  return {
    exec: sql => database.exec(sql),
    close: () => database.close(),
    prepare: sql => {
      const statement = database.prepare(sql)
      return {
        columns: () => statement.columns!(),
        all: (...values) => statement.all(...checked(values)),
        run: (...values) => statement.run(...checked(values)),
      }
    },
  }
}

export async function postgresDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = newName()
  const administer = async (sql: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await administer(`create database ${name}`)
  // It looks for deadlocks after a second, for which a test of them waits. Only a superuser may say so.
  await administer(`alter database ${name} set deadlock_timeout = '10ms'`).catch(() => {})
  const url = withDatabase(server, name)
  return {
    url,
    open: options => openPostgres(url, options),
    drop: () => administer(`drop database ${name} with (force)`),
  }
}

export async function mysqlDatabase(options: OpenMysqlOptions = {}): Promise<TestDatabase> {
  const server = inject('mysqlUrl')!
  const name = newName()
  const administer = async (sql: string) => {
    const connection = await mysql.createConnection(server)
    await connection.query(sql).finally(() => connection.end())
  }
  await administer(`create database ${name}`)
  const url = withDatabase(server, name)
  return {
    url,
    open: more => openMysql(url, { ...options, ...more }),
    drop: () => administer(`drop database ${name}`),
  }
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export interface TestEngine {
  readonly name: string
  create(): Promise<TestDatabase>
}

/** The databases that tests run on; MariaDB only where one answers, which the set-up has said. */
export function testEngines(): readonly TestEngine[] {
  const everywhere = [
    { name: 'SQLite', create: sqliteDatabase },
    { name: 'PostgreSQL', create: postgresDatabase },
  ]
  return inject('mysqlUrl')
    ? [...everywhere, { name: 'MariaDB', create: () => mysqlDatabase() }]
    : everywhere
}

/** Those that the conformance suites run on: D1 as well, which no other process can open. */
export const conformanceEngines = (): readonly TestEngine[] => [
  ...testEngines(),
  { name: 'D1', create: d1Database },
]
