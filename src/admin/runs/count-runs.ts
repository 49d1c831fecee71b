import type { Admin } from '../admin-routes'
import { badRequest } from '../admin-refusal'
import { timeOf } from '../flow-status'
import { hideTokens } from '../hide-tokens'
import { readParams } from '../read-params'
import type { WfAdminRunCounts } from './run-answers'
import { readSelection, SELECTION } from './run-selection'
import { stateFilter } from './run-state'
import { runsWithColumns } from './runs-of'

const MOST_WORKFLOWS = 100

/** How many runs there are, by state and by workflow. The database counts. */
export async function countRuns(admin: Admin): Promise<WfAdminRunCounts> {
  const { store, wf } = admin
  const { filter, inside } = readSelection(admin, readParams(SELECTION))
  if (inside !== undefined) throw badRequest('What stands inside of contexts is not counted.')
  const now = timeOf(store)
  const runs = runsWithColumns(admin)
  const [byStatus, expired, byWorkflow] = await Promise.all([
    runs.countBy('status', { filter }),
    runs.count({ $and: [filter, stateFilter('expired', now)] }),
    runs.countBy('schemaId', { filter, limit: MOST_WORKFLOWS }),
  ])
  const of = (...statuses: readonly string[]) =>
    byStatus
      .filter(({ value }) => statuses.includes(String(value)))
      .reduce((sum, { count }) => sum + count, 0)
  const known = byWorkflow.map(({ value, count }) => {
    const schemaId = String(value)
    return { schemaId, count, known: Boolean(wf.describe?.(schemaId)) }
  })
  return {
    now,
    total: byStatus.reduce((sum, { count }) => sum + count, 0),
    byState: {
      // Counted a moment apart: what has just ended is no minus.
      live: Math.max(0, of('created', 'active', 'paused') - expired),
      error: of('error', 'failed'),
      done: of('completed'),
      cancelled: of('cancelled'),
      expired,
    },
    byWorkflow: await hideTokens(known, texts => store.handlesAmong(texts)),
  }
}
