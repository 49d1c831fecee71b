import type { Admin } from '../admin-routes'
import { columnsSearched } from '../search-filter'
import { asAdminColumn, withoutSecrets } from '../shown-columns'
import type { WfAdminRunColumns } from './run-answers'
import { SEARCHED } from './run-searched'
import { runsOf } from './runs-of'

/** The columns of runs that can be shown and filtered by: not those that hold secrets. */
export const runColumns = (admin: Admin) => withoutSecrets(runsOf(admin).columns(), admin)

export function showRunColumns(admin: Admin): WfAdminRunColumns {
  const columns = runColumns(admin)
  const searched = columnsSearched(columns, SEARCHED).map(({ name }) => name)
  return {
    columns: columns.map(asAdminColumn),
    canSearch: searched.length > 0,
    canResend: admin.resend !== undefined,
    canPreview: admin.preview !== undefined,
    searched,
  }
}
