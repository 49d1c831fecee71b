import type { Admin } from '../admin-routes'
import { timeOf } from '../flow-status'
import { hideTokens } from '../hide-tokens'
import { readParams } from '../read-params'
import { findInside } from './find-inside'
import type { WfAdminRunPage } from './run-answers'
import { runColumns } from './run-columns'
import { readSelection, SELECTION } from './run-selection'
import { runsOf } from './runs-of'
import { toAdminRun } from './to-admin-run'

const SIZE = { least: 1, most: 100, byDefault: 20 }

/** One page of runs, those that have ended included. */
export async function listRuns(admin: Admin): Promise<WfAdminRunPage> {
  const params = readParams([...SELECTION, 'after', 'size'])
  const columns = runColumns(admin)
  const selection = readSelection(admin, params)
  const size = params.number('size', SIZE)
  const after = params.text('after')
  const found =
    selection.inside === undefined
      ? { ...(await runsOf(admin).list({ ...selection.query, limit: size, after })), looked: null }
      : await findInside(admin, selection, { size, after })
  const now = timeOf(admin.store)
  const shown = found.runs.map(run => toAdminRun(run, columns, now))
  return {
    runs: await hideTokens(shown, texts => admin.store.handlesAmong(texts)),
    next: found.next ?? null,
    looked: found.looked,
    now,
  }
}
