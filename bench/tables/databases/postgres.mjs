import { PostgresDialect } from 'kysely'
import { pg } from '../../measure/our-driver.mjs'
import { openPostgres } from '../../../dist/db/postgres/index.mjs'
import { runByHand, transitionByHand } from '../commits/by-hand.mjs'
import { ourCommits } from '../commits/our-commits.mjs'
import { fromRow, onConflict, statements, toValues } from '../hand-written.mjs'
import { ourTable } from '../our-table.mjs'
import { stockKysely } from '../stock-kysely.mjs'
import { databaseName, Unreachable, withDatabase } from './unreachable.mjs'

const SERVER = process.env.WF_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 10_000

export const postgres = {
  name: 'PostgreSQL',
  atMost: 1.15,
  inFlight: 32,
  roundMs: 300,
  commitsAtLeast: { 1: 1.1, 32: 1.35 },
  async open() {
    const { url, drop } = await createDatabase()
    return {
      ours: await ourTable(openPostgres(url, { maxConnections: CONNECTIONS })),
      raw: raw(url),
      'stock Kysely': stockKysely(new PostgresDialect({ pool: createPool(url) }), 'on conflict'),
      drop,
    }
  },
  async openCommits() {
    const { url, drop } = await createDatabase()
    const ours = await ourCommits(openPostgres(url, { maxConnections: CONNECTIONS }))
    return { ours, 'by hand': commitsByHand(url), drop }
  },
}

/** A database of this run alone; several of them have names of their own. */
export async function createDatabase(of = '') {
  const name = databaseName(of)
  const admin = await connect()
  await admin.query(`create database ${name}`)
  return {
    url: withDatabase(SERVER, name),
    async drop() {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

async function connect() {
  const client = new pg.Client({
    connectionString: SERVER,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  try {
    await client.connect()
    return client
  } catch (error) {
    throw new Unreachable(error.message || error.code)
  }
}

/** The driver as it comes: the timeouts of our own pool are a part of what it costs. */
export function createPool(url) {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, keepAlive: true })
  // Its end does not wait until the server has seen it, so the drop may still end connections.
  pool.on('error', () => {})
  return pool
}

function raw(url) {
  const pool = createPool(url)
  const texts = statements({
    quote: name => `"${name}"`,
    mark: at => `$${at}`,
    upsert: onConflict,
  })
  const run = (name, values) => pool.query({ name, text: texts[name], values })
  return {
    upsert: row => run('upsert', toValues(row)),
    get: async handle => fromRow((await run('get', [handle])).rows[0]),
    take: async handle => fromRow((await run('take', [handle])).rows[0]),
    close: () => pool.end(),
  }
}

function commitsByHand(url) {
  const pool = createPool(url)
  const texts = transitionByHand({ quote: name => `"${name}"`, mark: at => `$${at}` })
  return {
    async advance(id, version) {
      const client = await pool.connect()
      try {
        const execute = async (name, values) =>
          (await client.query({ name, text: texts[name], values })).rowCount
        await client.query('begin')
        const held = await runByHand(execute, id, version)
        await client.query(held ? 'commit' : 'rollback')
        return held
      } finally {
        client.release()
      }
    },
    close: () => pool.end(),
  }
}
