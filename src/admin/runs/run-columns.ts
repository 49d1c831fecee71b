import type { Admin } from '../admin-routes'
import { asAdminColumn, withoutSecrets } from '../shown-columns'
import type { WfAdminRunColumns } from './run-answers'
import { runsOf } from './runs-of'

/** The columns of runs that can be shown and filtered by: not those that hold secrets. */
export const runColumns = (admin: Admin) => withoutSecrets(runsOf(admin).columns(), admin)

export function showRunColumns(admin: Admin): WfAdminRunColumns {
  const columns = runColumns(admin).map(asAdminColumn)
  return { columns, canResend: admin.resend !== undefined }
}
