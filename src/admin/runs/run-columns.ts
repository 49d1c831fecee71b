import { type WfAdminColumn } from '../admin-answers'
import type { Admin } from '../admin-routes'
import { asAdminColumn, withoutSecrets } from '../shown-columns'
import { runsOf } from './runs-of'

/** The columns of runs that can be shown and filtered by: not those that hold secrets. */
export const runColumns = (admin: Admin) => withoutSecrets(runsOf(admin).columns(), admin)

export function showRunColumns(admin: Admin): {
  readonly columns: readonly WfAdminColumn[]
  readonly canResend: boolean
} {
  const columns = runColumns(admin).map(asAdminColumn)
  return { columns, canResend: admin.resend !== undefined }
}
