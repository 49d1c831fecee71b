import type { Condition } from '../filter/condition'
import { toSql } from '../filter/to-sql'
import type { SqlRow } from '../row/encode-row'
import { runWhere, type TableAccess } from './table-access'

/** Writes `patch` to the rows that match and says how many there were. */
export async function updateRows(
  access: TableAccess,
  where: Condition,
  patch: SqlRow,
): Promise<number> {
  const columns = [...patch.keys()].join()
  const { schema, session } = access
  const { affected } = await runWhere(access, `update ${columns}`, where, patch.values(), db =>
    db.updateTable(schema.name).set(Object.fromEntries(patch)).where(toSql(where, session.engine)),
  )
  return affected
}

/** Deletes the rows that match and says how many there were. */
export async function deleteRows(access: TableAccess, where: Condition): Promise<number> {
  const { affected } = await runWhere(access, 'delete', where, [], db =>
    db.deleteFrom(access.schema.name).where(toSql(where, access.session.engine)),
  )
  return affected
}
