// Does jobs in workerd: a request has one as its body, and is answered with what became of it.
import { openPostgres } from '@atscript/moost-wf/db/postgres'
import type { D1Binding } from '@atscript/moost-wf/db/d1'
import { env } from 'cloudflare:workers'
import { d1Engine } from './d1-engine'
import { offer } from './databases'
import { doJob } from './do-job'
import type { Job, Report } from './job'
import { createOrderApp } from './order-app'
import { connectionsTo } from './connections'
import { postgresEngine } from './postgres-engine'
import { orderApp, useOrderApp } from './the-order-app'

// What this Worker has is not what the sample has, which says what type `env` is.
const bindings = env as object as { readonly SHARED_URL: string }

useOrderApp(await createOrderApp(openPostgres(connectionsTo(bindings.SHARED_URL))))

const d1 = d1Engine(Object.values(bindings as object).filter(isD1))

function isD1(binding: unknown): binding is D1Binding {
  return typeof (binding as Partial<D1Binding>).batch === 'function'
}

export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/api/wf') return orderApp().fetch(request)
    const job = (await request.json()) as Job
    offer([d1, postgresEngine(job.provided.postgresUrl, 'handed over')])
    const reports: Report[] = []
    reports.push({ lacks: { SQLite: 'there are no files: D1 is its SQLite' } })
    await doJob(job, report => reports.push(report))
    return Response.json(reports)
  },
}
