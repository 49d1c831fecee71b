import type { WfRowColumn } from '../store'
import type { WfAdminColumn } from './admin-answers'
import type { Admin } from './admin-routes'

/** The columns that can be shown, filtered and sorted by: not those that hold secrets. */
export function shownColumns({ store, isSecret }: Pick<Admin, 'store' | 'isSecret'>) {
  const isShown = ({ name, path = [], isId }: WfRowColumn) =>
    isId || ![name, ...path].some(isSecret)
  return store.columns().filter(isShown)
}

/** The column by which flows are named; the options have been checked for one. */
export function idColumnOf({ store }: Pick<Admin, 'store'>): WfRowColumn {
  return store.columns().find(({ isId }) => isId)!
}

export function showColumns(admin: Admin) {
  const columns = shownColumns(admin).map(({ path, ...column }): WfAdminColumn => ({
    ...column,
    shadow: path !== undefined,
  }))
  return { columns, canSearch: canSearch(admin), canResend: admin.resend !== undefined }
}

/** Only a table that shows its SQL is known to have `$contains`: not that of `@atscript/db`. */
export const canSearch = ({ store }: Pick<Admin, 'store'>): boolean => store.toSql('count') !== null
