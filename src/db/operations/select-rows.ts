import { sql } from 'kysely'
import type { AnyKysely } from '../db-engine'
import type { Condition } from '../filter/condition'
import type { Page } from '../filter/controls'
import { toSql } from '../filter/to-sql'
import { decodeRow } from '../row/decode-row'
import { runWhere, type TableAccess } from './table-access'

/** The rows of one page. */
export async function selectRows(access: TableAccess, where: Condition, page: Page) {
  const { schema, session } = access
  const isOneOff = (page.limit ?? 1) !== 1 || page.skip !== undefined
  const build = (db: AnyKysely) => {
    let query = db
      .selectFrom(schema.name)
      .select([...page.select])
      .where(toSql(where))
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
  const { rows } = await runWhere(access, `select ${page.shape}`, where, [], build, isOneOff)
  return rows.map(row => decodeRow(schema, row))
}

/** How many rows there are. */
export async function countRows(access: TableAccess, where: Condition): Promise<number> {
  const { rows } = await runWhere(access, 'count', where, [], db =>
    db
      .selectFrom(access.schema.name)
      .select(eb => eb.fn.countAll().as('count'))
      .where(toSql(where)),
  )
  return Number(rows[0]?.count)
}
