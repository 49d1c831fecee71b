import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMysql, type OpenMysqlOptions } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import type { TableDatabase } from '@atscript/moost-wf/testing'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { inject } from 'vitest'

/** An empty database of its own, and where it is. */
export interface TestDatabase extends TableDatabase {
  readonly url: string
  open(): ReturnType<typeof openSqlite>
  drop(): Promise<void>
}

const newName = () => `wf_test_${randomBytes(6).toString('hex')}`

export async function sqliteDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'moost-wf-sqlite-'))
  const url = join(folder, 'test.db')
  return {
    url,
    open: () => openSqlite(url),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
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
    open: () => openPostgres(url),
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
    open: () => openMysql(url, options),
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
