import type { WfAdminQuery } from '../store'
import type { WfAdminPage } from './admin-answers'
import type { Admin } from './admin-routes'
import { hideTokens } from './hide-tokens'
import { readFilter } from './read-filter'
import { readParams } from './read-params'
import { readSort } from './read-sort'
import { searchFilter } from './search-filter'
import { idColumnOf, shownColumns } from './shown-columns'
import { type FlowStatus, statusFilter, timeOf } from './flow-status'
import { toAdminRow } from './to-admin-row'

const SIZE = { least: 1, most: 100, byDefault: 20 }
const PAGE = { least: 1, most: 100_000, byDefault: 1 }
const STATUSES: readonly FlowStatus[] = ['all', 'live', 'expired']

/** One page of the flows that match, and the SQL that was run for it. */
export async function listFlows(admin: Admin): Promise<WfAdminPage> {
  const { store } = admin
  const params = readParams(['status', 'filter', 'search', 'sort', 'page', 'size'])
  const columns = shownColumns(admin)
  const id = idColumnOf(admin).name
  const now = timeOf(store)
  const page = params.number('page', PAGE)
  const size = params.number('size', SIZE)
  const parts = [
    statusFilter(params.choice('status', STATUSES, 'all'), now),
    readFilter(params.text('filter'), columns),
    searchFilter(params.text('search'), columns, admin),
  ]
  const $and = parts.filter(part => Object.keys(part).length > 0)
  const query: WfAdminQuery = {
    filter: $and.length > 0 ? { $and } : {},
    controls: {
      $select: [...new Set([...columns.map(({ name }) => name), 'version', 'expiresAt'])],
      $sort: readSort(params.text('sort'), columns, id),
      $limit: size,
      $skip: (page - 1) * size,
    },
  }
  const [rows, total] = await Promise.all([
    store.list(query),
    store.count({ filter: query.filter }),
  ])
  const sql = [store.toSql('list', query), store.toSql('count', query)]
  const shown = rows.map(row => toAdminRow(row, columns, id, now))
  return {
    rows: await hideTokens(shown, texts => store.handlesAmong(texts)),
    total,
    page,
    size,
    now,
    sql: sql.filter(statement => statement !== null),
  }
}
