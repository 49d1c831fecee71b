import type { AdminJobs } from './admin-jobs'
import { countFlows } from './count-flows'
import { extendFlow } from './extend-flow'
import { listFlows } from './list-flows'
import { listJobs, showJob, startCleanup, startHeal } from './run-jobs'
import { resendFlow } from './resend-flow'
import { revokeFlow } from './revoke-flow'
import { showColumns } from './shown-columns'
import { showFlow } from './show-flow'
import type { ResolvedWfAdminOptions } from './wf-admin-options'

/** What a handler works with. */
export interface Admin extends ResolvedWfAdminOptions {
  readonly jobs: AdminJobs
}

export interface AdminRoute {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  handle(admin: Admin): unknown
}

export const ADMIN_ROUTES: readonly AdminRoute[] = [
  { name: 'columns', method: 'GET', path: 'columns', handle: showColumns },
  { name: 'flows', method: 'GET', path: 'flows', handle: listFlows },
  { name: 'flow', method: 'GET', path: 'flows/:id', handle: showFlow },
  { name: 'revoke', method: 'POST', path: 'flows/:id/revoke', handle: revokeFlow },
  { name: 'extend', method: 'POST', path: 'flows/:id/extend', handle: extendFlow },
  { name: 'resend', method: 'POST', path: 'flows/:id/resend', handle: resendFlow },
  { name: 'counts', method: 'GET', path: 'counts', handle: countFlows },
  { name: 'heal', method: 'POST', path: 'heal', handle: startHeal },
  { name: 'cleanup', method: 'POST', path: 'cleanup', handle: startCleanup },
  { name: 'jobs', method: 'GET', path: 'jobs', handle: listJobs },
  { name: 'job', method: 'GET', path: 'jobs/:id', handle: showJob },
]
