import type { Condition } from '../filter/condition'
import { filterError } from '../filter/filter-error'
import { fixedValues } from '../filter/fixed-values'
import { toSql } from '../filter/to-sql'
import type { TableSchema } from '../schema/table-schema'
import { runWhere, type TableAccess } from './table-access'
import { deleteRows } from './update-rows'

/** Deletes the row and returns it, to one caller alone. */
export async function takeRow(access: TableAccess, where: Condition) {
  const { schema, session } = access
  if (!namesOneRow(schema, where)) {
    throw filterError(
      `takeOne needs the "${schema.primaryKey.join(' and ')}" of a row, or all columns of a unique index`,
    )
  }
  const columns = [...schema.columns.keys()]
  const { returning } = await session.traits()
  if (!returning) return lockAndDelete(access, where, columns)
  const { rows } = await runWhere(access, 'take', where, [], db =>
    db.deleteFrom(schema.name).where(toSql(where, session.engine)).returning(columns),
  )
  return rows[0]
}

/** For a database whose "delete" returns nothing. The lock lets the callers in one after another. */
function lockAndDelete(access: TableAccess, where: Condition, columns: string[]) {
  return access.session.atomically(async session => {
    const inside = { ...access, session }
    const { rows } = await runWhere(inside, 'lock', where, [], db =>
      db
        .selectFrom(access.schema.name)
        .select(columns)
        .where(toSql(where, session.engine))
        .forUpdate(),
    )
    // A row that was not there has not been locked: it may be there by now, for someone else.
    if (rows.length === 0) return undefined
    return (await deleteRows(inside, where)) === 1 ? rows[0] : undefined
  })
}

function namesOneRow(schema: TableSchema, where: Condition): boolean {
  const fixed = fixedValues(where)
  return schema.uniqueKeys.some(key => key.every(column => fixed.has(column)))
}
