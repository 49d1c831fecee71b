import { MysqlAdapter, MysqlDialect } from 'kysely'
import mysql from 'mysql2'
import { openMysql } from '../../../dist/db/mysql/index.mjs'
import { runByHand, transitionByHand } from '../commits/by-hand.mjs'
import { ourCommits } from '../commits/our-commits.mjs'
import { fromRow, statements, toValues } from '../hand-written.mjs'
import { ourTable } from '../our-table.mjs'
import { stockKysely } from '../stock-kysely.mjs'
import { databaseName, Unreachable, withDatabase } from './unreachable.mjs'

const SERVER = process.env.WF_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/mysql'
const CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 10_000
const SETTINGS = [
  'set session transaction isolation level read committed',
  "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
]

export const mariadb = {
  name: 'MariaDB',
  atMost: 1.2,
  inFlight: 32,
  roundMs: 300,
  async open() {
    const { url, drop } = await createDatabase()
    return {
      ours: await ourTable(openMysql(url, { maxConnections: CONNECTIONS })),
      raw: raw(url),
      'stock Kysely': stockKysely(new Returning({ pool: createPool(url) }), 'on duplicate key'),
      drop,
    }
  },
  async openCommits() {
    const { url, drop } = await createDatabase()
    const ours = await ourCommits(openMysql(url, { maxConnections: CONNECTIONS }))
    return { ours, 'by hand': commitsByHand(url), drop }
  },
}

/** A database of this run alone; several of them have names of their own. */
export async function createDatabase(of = '') {
  const name = databaseName(of)
  const admin = await connect()
  await ask(admin, `create database ${name} character set utf8mb4`)
  return {
    url: withDatabase(SERVER, name),
    async drop() {
      await ask(admin, `drop database ${name}`)
      admin.end()
    },
  }
}

/** Kysely's own adapter takes MariaDB for MySQL, and what it returns for nothing. */
class Returning extends MysqlDialect {
  createAdapter() {
    const adapter = new MysqlAdapter()
    Object.defineProperty(adapter, 'supportsReturning', { value: true })
    return adapter
  }
}

async function connect() {
  const connection = mysql.createConnection({ uri: SERVER, connectTimeout: CONNECT_TIMEOUT_MS })
  try {
    const [{ version }] = await ask(connection, 'select version() as version')
    if (version.includes('MariaDB')) return connection
  } catch (error) {
    throw new Unreachable(error.message || error.code, { cause: error })
  }
  connection.end()
  throw new Unreachable('the server is a MySQL, whose delete returns nothing')
}

const ask = (connection, text) =>
  new Promise((resolve, reject) =>
    connection.query(text, (error, result) => (error ? reject(error) : resolve(result))),
  )

/**
 * The driver as it comes, with the session settings of our own pool, whose timeouts are a part of
 * what it costs.
 */
export function createPool(url) {
  const pool = mysql.createPool({ uri: url, connectionLimit: CONNECTIONS, enableKeepAlive: true })
  pool.on('connection', connection => {
    for (const setting of SETTINGS) connection.query(setting)
  })
  return pool
}

function raw(url) {
  const pool = createPool(url)
  const texts = statements({
    quote: name => `\`${name}\``,
    mark: () => '?',
    upsert: { clause: 'on duplicate key update', written: column => `values(${column})` },
  })
  const run = (sql, values) =>
    new Promise((resolve, reject) =>
      pool.execute(sql, values, (error, result) => (error ? reject(error) : resolve(result))),
    )
  return {
    upsert: row => run(texts.upsert, toValues(row)),
    get: async handle => fromRow((await run(texts.get, [handle]))[0]),
    take: async handle => fromRow((await run(texts.take, [handle]))[0]),
    close: () => new Promise(resolve => pool.end(resolve)),
  }
}

function commitsByHand(url) {
  const pool = createPool(url).promise()
  const texts = transitionByHand({ quote: name => `\`${name}\``, mark: () => '?' })
  return {
    async advance(id, version) {
      const connection = await pool.getConnection()
      try {
        const execute = async (name, values) =>
          (await connection.execute(texts[name], values))[0].affectedRows
        await connection.query('begin')
        const held = await runByHand(execute, id, version)
        await connection.query(held ? 'commit' : 'rollback')
        return held
      } finally {
        connection.release()
      }
    },
    close: () => pool.end(),
  }
}
