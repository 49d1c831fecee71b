import type { WfRowColumn } from '../store'
import type { WfAdminColumn, WfAdminColumns } from './admin-answers'
import type { Admin } from './admin-routes'

/** The columns that can be shown, filtered and sorted by: not those that hold secrets. */
export const shownColumns = (admin: Pick<Admin, 'store' | 'isSecret'>) =>
  withoutSecrets(admin.store.columns(), admin)

export function withoutSecrets(
  columns: readonly WfRowColumn[],
  { isSecret }: Pick<Admin, 'isSecret'>,
): readonly WfRowColumn[] {
  return columns.filter(
    ({ name, path = [], isId }) => isId || ![name, ...path].some(key => isSecret(key)),
  )
}

/** The column by which flows are named; the options have been checked for one. */
export function idColumnOf({ store }: Pick<Admin, 'store'>): WfRowColumn {
  return store.columns().find(({ isId }) => isId)!
}

export function showColumns(admin: Admin): WfAdminColumns {
  const columns = shownColumns(admin).map(asAdminColumn)
  return { columns, canSearch: canSearch(admin), canResend: admin.resend !== undefined }
}

export const asAdminColumn = ({ path, ...column }: WfRowColumn): WfAdminColumn => ({
  ...column,
  shadow: path !== undefined,
})

/** Only a table that shows its SQL is known to have `$contains`: not that of `@atscript/db`. */
export const canSearch = ({ store }: Pick<Admin, 'store'>): boolean => store.toSql('count') !== null
