import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { root } from './support/project'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** `null` when no server answers. */
    mysqlUrl: string | null
  }
}

const POSTGRES_URL =
  process.env.WF_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const MYSQL_URL = process.env.WF_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/mysql'

/** Finds the database servers that the tests talk to, or starts one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const embedded = (await answers(askPostgres)) ? undefined : await startPostgres()
  project.provide('postgresUrl', embedded?.url ?? POSTGRES_URL)
  project.provide('mysqlUrl', (await answers(askMysql)) ? MYSQL_URL : missingMysql())
  return async () => embedded?.stop()
}

async function answers(ask: () => Promise<void>): Promise<boolean> {
  return ask().then(
    () => true,
    () => false,
  )
}

async function askPostgres(): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 3000 })
  await client.connect()
  await client.end()
}

async function askMysql(): Promise<void> {
  const connection = await mysql.createConnection({ uri: MYSQL_URL, connectTimeout: 3000 })
  await connection.end()
}

async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = fork(join(root, 'test/support/embedded-postgres.mjs'))
  const gone = once(child, 'exit')
  const failed = gone.then(() => Promise.reject(new Error('PostgreSQL did not start.')))
  const [{ url }] = (await Promise.race([once(child, 'message'), failed])) as [{ url: string }]
  failed.catch(() => {})
  return {
    url,
    stop: async () => {
      child.disconnect()
      await gone
    },
  }
}

function missingMysql(): null {
  const message =
    'No MariaDB or MySQL answers, so its tests are SKIPPED. Start one on 127.0.0.1:3306 (root, no password), or set WF_TEST_MYSQL_URL.'
  if (process.env.CI) throw new Error(message)
  process.stderr.write(`\n${'!'.repeat(100)}\n${message}\n${'!'.repeat(100)}\n\n`)
  return null
}
