import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { root } from './bundle.mjs'

const URL_OF_TESTS =
  process.env.WF_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/**
 * A database of its own on the server that the tests use, or on one that is started for as long as it is
 * needed.
 *
 * @returns `url` of the server, `sharedUrl` of the database
 */
export async function openPostgres() {
  const { url, stop } = await findServer()
  const name = `wf_test_${randomBytes(6).toString('hex')}`
  const sharedUrl = Object.assign(new URL(url), { pathname: `/${name}` }).href
  await administer(url, `create database ${name}`)
  const close = async () => {
    await administer(url, `drop database ${name} with (force)`)
    await stop()
  }
  return { url, sharedUrl, close }
}

async function administer(connectionString, sql) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

async function findServer() {
  if (await answers(URL_OF_TESTS)) return { url: URL_OF_TESTS, stop: async () => {} }
  const child = fork(join(root, 'test/support/embedded-postgres.mjs'))
  const gone = once(child, 'exit')
  const [said] = await Promise.race([once(child, 'message'), gone])
  if (!said?.url) throw new Error('No PostgreSQL answers, and none could be started.')
  const stop = async () => {
    child.disconnect()
    await gone
  }
  return { url: said.url, stop }
}

async function answers(connectionString) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
