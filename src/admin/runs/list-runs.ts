import type { WfRunStatus } from '../../state'
import type { Admin } from '../admin-routes'
import { timeOf } from '../flow-status'
import { hideTokens } from '../hide-tokens'
import { readFilter } from '../read-filter'
import { readParams } from '../read-params'
import type { WfAdminRunPage } from './run-answers'
import { runColumns } from './run-columns'
import { runsOf } from './runs-of'
import { toAdminRun } from './to-admin-run'

const SIZE = { least: 1, most: 100, byDefault: 20 }
const STATUSES: readonly (WfRunStatus | 'all')[] = [
  'all',
  'created',
  'active',
  'paused',
  'error',
  'completed',
  'failed',
  'cancelled',
]

/** One page of runs, those that have ended included. */
export async function listRuns(admin: Admin): Promise<WfAdminRunPage> {
  const params = readParams(['status', 'workflow', 'correlation', 'filter', 'after', 'size'])
  const status = params.choice('status', STATUSES, 'all')
  const columns = runColumns(admin)
  const { runs, next } = await runsOf(admin).list({
    schemaId: params.text('workflow'),
    correlationId: params.text('correlation'),
    status: status === 'all' ? undefined : status,
    filter: readFilter(params.text('filter'), columns),
    limit: params.number('size', SIZE),
    after: params.text('after'),
  })
  const shown = runs.map(run => toAdminRun(run, columns))
  return {
    runs: await hideTokens(shown, texts => admin.store.handlesAmong(texts)),
    next: next ?? null,
    now: timeOf(admin.store),
  }
}
