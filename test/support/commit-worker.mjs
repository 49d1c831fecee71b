// A process of its own that commits until it is killed. Plain Node, on what is built and published.
// node commit-worker.mjs <engine> <url> <log> <runs…>; writes to the log what it tries and what became of it.
import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { deleteFrom, insertInto, updateIn } from '@atscript/moost-wf/db'
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { EventType, LinkType, RunType } from './commit-table-types.mjs'

const OPEN = {
  SQLite: openSqlite,
  PostgreSQL: openPostgres,
  MariaDB: openMysql,
  'MariaDB, as MySQL would be': (url, options) => openMysql(url, { ...options, returning: false }),
}
const [engine, url, log, ...runs] = process.argv.slice(2)
const space = OPEN[engine](url, { maxConnections: 3 })
const table = space.table(RunType)
const filler = 'x'.repeat(2000)

/** Takes a run from one version to the next, with two events and a new link instead of the old ones. */
async function commit(run) {
  const { version } = await table.findOne({ filter: { id: run } })
  const commitId = randomUUID()
  const event = seq => ({ run, seq, version, filler })
  // A file keeps what was written to it when the process is killed.
  appendFileSync(log, `tried ${commitId}\n`)
  const { held } = await space.commit({
    commitId,
    write: updateIn(RunType, { id: run, version }, { version: version + 1 }),
    with: [
      insertInto(EventType, [event(2 * version), event(2 * version + 1)]),
      deleteFrom(LinkType, { run }),
      insertInto(LinkType, { run, version: version + 1 }),
    ],
  })
  appendFileSync(log, `${held ? 'held' : 'lost'} ${commitId}\n`)
  if (held) process.send('held')
}

await Promise.all(
  runs.map(async run => {
    for (;;) await commit(run)
  }),
)
