// A process of its own with a store. Plain Node, on what is built and published.
// node state-worker.mjs <engine> <url>; does what it is told by messages.
import { openMysql } from '@atscript/moost-wf/db/mysql'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { AsWfStore } from '@atscript/moost-wf/store'
import { stateTableType } from './state-table-type.mjs'

const OPEN = { SQLite: openSqlite, PostgreSQL: openPostgres, MariaDB: openMysql }
const [engine, url] = process.argv.slice(2)
const space = OPEN[engine](url, { maxConnections: 5 })
const store = new AsWfStore({ table: space.table(stateTableType) })

const WORK = {
  /** How many of the racers got the state of each handle. */
  take: async ({ handles, racers }) => {
    const winners = []
    for (const handle of handles) {
      const taken = await Promise.all(
        Array.from({ length: racers }, () => store.getAndDelete(handle)),
      )
      winners.push(taken.filter(Boolean).length)
    }
    return winners
  },
  heal: () => store.heal({ batchSize: 20 }),
  cleanup: () => store.cleanup({ batchSize: 20 }),
  /** Writes the same few handles again and again, until it is killed. */
  set: async ({ handles }) => {
    for (let n = 0; ; n++) {
      const context = { applicant: `user${n}`, amount: n, filler: 'x'.repeat(2000) }
      const state = { schemaId: 'suite/flow', indexes: [n], context }
      await Promise.all(handles.map(handle => store.set(handle, state)))
    }
  },
}

process.on('message', async ({ work, ...task }) => {
  if (work === 'end') {
    await space.close()
    process.disconnect()
  } else process.send({ done: await WORK[work](task) })
})
process.send('ready')
