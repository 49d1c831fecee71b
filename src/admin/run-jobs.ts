import { useLogger, useRouteParams } from '@wooksjs/event-core'
import { useResponse } from '@wooksjs/event-http'
import type { JobWork, WfAdminJob } from './admin-jobs'
import { AdminRefusal, badRequest } from './admin-refusal'
import type { Admin } from './admin-routes'
import { readFields } from './read-action-body'

const LONGEST_RETENTION_MS = 100 * 366 * 24 * 60 * 60_000

/** Writes the shadow columns of all rows anew. */
export async function startHeal(admin: Admin) {
  const { store } = admin
  await readFields()
  return start(admin, 'heal', async report => {
    report({ total: await store.count() })
    await store.heal({
      onProgress: ({ scanned, changed, damaged }) => report({ scanned, changed, damaged }),
    })
  })
}

/** Deletes what has expired. */
export async function startCleanup(admin: Admin) {
  const { store } = admin
  const { retentionMs = 0 } = await readFields()
  const isTime = Number.isSafeInteger(retentionMs) && Number(retentionMs) >= 0
  if (!isTime || Number(retentionMs) > LONGEST_RETENTION_MS) {
    throw badRequest('"retentionMs" is a whole number of milliseconds from 0.')
  }
  const retention = Number(retentionMs)
  return start(admin, 'cleanup', async report => {
    report({ total: await store.cleanup({ retention, dryRun: true }) })
    await store.cleanup({
      retention,
      onProgress: ({ deleted }) => report({ scanned: deleted, changed: deleted }),
    })
  })
}

function start({ jobs }: Admin, kind: WfAdminJob['kind'], work: JobWork) {
  const logger = useLogger()
  const job = jobs.start(kind, work, error => logger.error(`The ${kind} of an admin failed`, error))
  useResponse().setStatus(202)
  return { job: job.id }
}

export function listJobs({ jobs }: Admin): { readonly jobs: readonly WfAdminJob[] } {
  return { jobs: jobs.list() }
}

export function showJob({ jobs }: Admin): WfAdminJob {
  const job = jobs.find(String(useRouteParams().get('id')))
  if (job) return job
  throw new AdminRefusal(404, 'WF_UNKNOWN', 'There is no such job. The server may have restarted.')
}
