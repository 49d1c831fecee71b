import { sql } from 'kysely'
import type { AnyKysely } from '../db-engine'
import type { Condition } from '../filter/condition'
import type { Page } from '../filter/controls'
import { toSql } from '../filter/to-sql'
import { decodeRow } from '../row/decode-row'
import type { Statement } from '../session/db-session'
import { statementWhere, type TableAccess } from './table-access'

/** What reads the rows of one page. */
export function selectStatement(access: TableAccess, where: Condition, page: Page): Statement {
  const { schema, session } = access
  const { now, nowOfSearch, positionFunction } = session.engine
  const isOneOff = (page.limit ?? 1) !== 1 || page.skip !== undefined
  const build = (db: AnyKysely) => {
    let query = db
      .selectFrom(schema.name)
      .select([...page.select])
      .where(toSql(where, { positionFunction, now: nowOfSearch ?? now }))
    for (const { column, descending } of page.sort) {
      const plain = session.engine.sortsNullsFirst || !schema.columns.get(column)?.nullable
      query = query.orderBy(column, order => {
        const ordered = descending ? order.desc() : order.asc()
        if (plain) return ordered
        return descending ? ordered.nullsLast() : ordered.nullsFirst()
      })
    }
    const { limit, skip } = page
    // Checked whole numbers, as literals: not every database takes them as parameters, nor an
    // offset without a limit.
    if (limit !== undefined || skip !== undefined) {
      query = query.limit(sql.lit(limit ?? Number.MAX_SAFE_INTEGER))
    }
    return skip === undefined ? query : query.offset(sql.lit(skip))
  }
  return statementWhere(schema, `select ${page.shape}`, where, [], build, isOneOff)
}

/** The rows of one page. */
export async function selectRows(access: TableAccess, where: Condition, page: Page) {
  const { rows } = await access.session.run(selectStatement(access, where, page))
  return rows.map(row => decodeRow(access.schema, row))
}
