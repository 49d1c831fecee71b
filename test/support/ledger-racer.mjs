// One of several processes that race on a ledger. Plain Node, on what is built and published.
// node ledger-racer.mjs <engine> <url> <keys> <racers>; tells its outcomes when it is told to go.
import { AsWfLedger } from '@atscript/moost-wf'
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { AsWfLedgerRecord } from '@atscript/moost-wf/ledger.as'

const OPEN = { SQLite: openSqlite, PostgreSQL: openPostgres, MariaDB: openMysql }
const [engine, url, keys, racers] = process.argv.slice(2)

const space = OPEN[engine](url, { maxConnections: 5 })
const type = { type: AsWfLedgerRecord.type, metadata: new Map([['db.table', 'wf_ledger']]) }
const ledger = new AsWfLedger({ table: space.table(type) })
const end = Date.now() + 60 * 60_000

const race = operation => Promise.all(Array.from({ length: Number(racers) }, operation))

process.once('message', async () => {
  const outcomes = []
  for (let key = 0; key < Number(keys); key++) {
    const [spent, counts] = await Promise.all([
      race(() => ledger.spend('token', `${key}`, end)),
      race(() => ledger.increment('attempts', `${key}`, end)),
    ])
    outcomes.push({ wins: spent.filter(Boolean).length, counts })
  }
  await space.close()
  process.send(outcomes, () => process.disconnect())
})
process.send('ready')
