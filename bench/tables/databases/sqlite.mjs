import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { SqliteDialect } from 'kysely'
import { openSqlite } from '../../../dist/db/sqlite/index.mjs'
import { runByHandAtOnce, transitionByHand } from '../commits/by-hand.mjs'
import { ourCommits } from '../commits/our-commits.mjs'
import { fromRow, onConflict, statements, toValues } from '../hand-written.mjs'
import { ourTable } from '../our-table.mjs'
import { stockKysely } from '../stock-kysely.mjs'

const PRAGMAS = 'pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 20'

/** All connections are of one driver: two builds of SQLite would not see each other's locks. */
export const sqlite = {
  name: 'SQLite',
  atMost: 1.5,
  inFlight: 1,
  roundMs: 150,
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'bench-tables-'))
    const file = join(folder, 'states.db')
    return {
      ours: await ourTable(openSqlite(connect(file))),
      raw: raw(file),
      'stock Kysely': stockKysely(new SqliteDialect({ database: forKysely(file) }), 'on conflict'),
      drop: () => rm(folder, { recursive: true }),
    }
  },
  async openCommits() {
    const folder = await mkdtemp(join(tmpdir(), 'bench-commits-'))
    const file = join(folder, 'runs.db')
    return {
      ours: await ourCommits(openSqlite(connect(file))),
      'by hand': commitsByHand(file),
      drop: () => rm(folder, { recursive: true }),
    }
  },
}

function connect(file) {
  const database = new DatabaseSync(file)
  database.exec(PRAGMAS)
  return database
}

function raw(file) {
  const database = connect(file)
  const texts = statements({ quote: name => `"${name}"`, mark: () => '?', upsert: onConflict })
  const upsert = database.prepare(texts.upsert)
  const get = database.prepare(texts.get)
  const take = database.prepare(texts.take)
  return {
    upsert: row => upsert.run(...toValues(row)),
    get: handle => fromRow(get.get(handle)),
    take: handle => fromRow(take.get(handle)),
    close: () => database.close(),
  }
}

/** Kysely's dialect is for better-sqlite3, which takes the values as a list. */
function forKysely(file) {
  const database = connect(file)
  return {
    close: () => database.close(),
    prepare(text) {
      const statement = database.prepare(text)
      return {
        reader: statement.columns().length > 0,
        all: values => statement.all(...values),
        run: values => statement.run(...values),
      }
    },
  }
}

function commitsByHand(file) {
  const database = connect(file)
  const texts = transitionByHand({ quote: name => `"${name}"`, mark: () => '?' })
  const statements = {
    update: database.prepare(texts.update),
    insert: database.prepare(texts.insert),
  }
  const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'].map(sql =>
    database.prepare(sql),
  )
  return {
    async advance(id, version) {
      begin.run()
      const held = runByHandAtOnce(
        (name, values) => statements[name].run(...values).changes,
        id,
        version,
      )
      if (held) commit.run()
      else rollback.run()
      return held
    },
    close: () => database.close(),
  }
}
