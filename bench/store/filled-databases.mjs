import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import mysql from 'mysql2/promise'
import { pg } from '../measure/our-driver.mjs'
import { openMysql } from '../../dist/db/mysql/index.mjs'
import { openPostgres } from '../../dist/db/postgres/index.mjs'
import { openSqlite } from '../../dist/db/sqlite/index.mjs'
import { Unreachable, withDatabase } from '../tables/databases/unreachable.mjs'

const name = `bench_scale_${process.pid}`
const COLUMNS =
  'handle, schemaId, state, version, expiresAt, updatedAt, createdAt, id, inviteEmail, inviteRole'

/**
 * Paused flows from number `from` to `to`, made by the database itself: one in ten is an invitation,
 * another one in ten has expired.
 */
const rows = ({ quote, text, id, numbers }) => `
  insert into ${quote('wf_states')} (${COLUMNS.split(', ').map(quote).join(', ')})
  select ${text("'h'")}, case when n % 10 = 0 then 'users/invite' else 'auth/login' end,
    ${text(`'{"indexes":[0],"context":{"roleName":"member","email":"user'`, `'@example.com"}}'`)},
    1, case when n % 10 = 1 then 1 else null end, n, n, ${id},
    ${text("'user'", "'@example.com'")}, 'member'
  from ${numbers}`

const concat = (first, last) => `concat(${[first, 'n', last].filter(Boolean).join(', ')})`
const bars = (first, last) => [first, 'n', last].filter(Boolean).join(' || ')
const double = column => `"${column}"`
const back = column => `\`${column}\``

async function sqlite() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-scale-'))
  const file = join(folder, 'states.db')
  const space = openSqlite(file)
  const numbers = (from, to) =>
    `(with recursive c(n) as (select ${from} union all select n + 1 from c where n < ${to}) select n from c)`
  return {
    space,
    async fill(from, to) {
      const database = new DatabaseSync(file)
      const id = 'lower(hex(randomblob(16)))'
      database.exec(rows({ quote: double, text: bars, id, numbers: numbers(from, to) }))
      database.exec('analyze')
      database.close()
    },
    drop: () => rm(folder, { recursive: true }),
  }
}

async function postgres() {
  const server = process.env.WF_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const url = withDatabase(server, name)
  const ask = async (at, ...texts) => {
    const client = new pg.Client(at)
    await client.connect().catch(error => {
      throw new Unreachable(error.message || error.code)
    })
    for (const text of texts) await client.query(text)
    await client.end()
  }
  await ask(server, `create database ${name}`)
  return {
    space: openPostgres(url),
    fill: (from, to) => {
      const numbers = `generate_series(${from}, ${to}) as n`
      const id = 'gen_random_uuid()::text'
      return ask(url, rows({ quote: double, text: bars, id, numbers }), 'vacuum analyze')
    },
    drop: () => ask(server, `drop database ${name} with (force)`),
  }
}

async function mariadb() {
  const server = process.env.WF_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/mysql'
  const url = withDatabase(server, name)
  const ask = async (at, ...texts) => {
    const connection = await mysql.createConnection(at).catch(error => {
      throw new Unreachable(error.message || error.code)
    })
    for (const text of texts) await connection.query(text)
    await connection.end()
  }
  await ask(server, `create database ${name}`)
  return {
    space: openMysql(url),
    fill: (from, to) => {
      const numbers = `(select seq as n from seq_${from}_to_${to}) as numbers`
      // In order: random keys take InnoDB many times as long to insert.
      const id = "lpad(n, 12, '0')"
      const text = rows({ quote: back, text: concat, id, numbers })
      return ask(url, text, 'analyze table wf_states')
    },
    drop: () => ask(server, `drop database ${name}`),
  }
}

export const databases = { SQLite: sqlite, PostgreSQL: postgres, MariaDB: mariadb }
