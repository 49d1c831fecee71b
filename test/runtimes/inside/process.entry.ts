// Does a job in a process: node process.entry.mjs '{ "suites": […], "provided": {…} }'
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { offer } from './databases'
import { doJob } from './do-job'
import type { Job, Report } from './job'
import { createOrderApp } from './order-app'
import { postgresEngine } from './postgres-engine'
import { sqliteEngine } from './sqlite-engine'
import { useOrderApp } from './the-order-app'

const job = JSON.parse(process.argv[2] ?? '') as Job

const say = (report: Report) => write(JSON.stringify(report))
const write = (line: string) => new Promise(resolve => process.stdout.write(`${line}\n`, resolve))

/** Why SQLite cannot be opened here. */
async function lackOfSqlite(): Promise<string | undefined> {
  try {
    await openSqlite(':memory:').close()
    return undefined
  } catch (error) {
    return (error as Error).message.split('\n')[0]
  }
}

const { bun, deno, node } = process.versions
await say({ version: bun ?? deno ?? node })
const lack = await lackOfSqlite()
await say({ lacks: { D1: 'it is a binding of Workers', ...(lack && { SQLite: lack }) } })
offer([...(lack ? [] : [sqliteEngine]), postgresEngine(job.provided.postgresUrl, 'by itself')])
useOrderApp(await createOrderApp(openPostgres(job.provided.sharedUrl)))
await doJob(job, say)
await write('done')
process.exit()
