import { sql } from 'kysely'
import type { Condition } from '../filter/condition'
import { toSql } from '../filter/to-sql'
import { decodeRow } from '../row/decode-row'
import type { Statement } from '../session/db-session'
import { runWhere, statementWhere, type TableAccess } from './table-access'

/** What counts rows. */
export function countStatement(access: TableAccess, where: Condition): Statement {
  return statementWhere(access.schema, 'count', where, [], db =>
    db
      .selectFrom(access.schema.name)
      .select(eb => eb.fn.countAll().as('count'))
      .where(toSql(where, access.session.engine)),
  )
}

/** How many rows there are. */
export async function countRows(access: TableAccess, where: Condition): Promise<number> {
  const { rows } = await access.session.run(countStatement(access, where))
  return Number(rows[0]?.count)
}

/** A value of a column, and how many rows have it. */
export interface DbCount<Value = unknown> {
  readonly value: Value
  readonly count: number
}

/** How many rows there are for each value of a column, the most frequent first. */
export async function countRowsBy(
  access: TableAccess,
  column: string,
  where: Condition,
  limit: number,
): Promise<DbCount[]> {
  const { schema, session } = access
  const { rows } = await runWhere(access, `count by ${column} ${limit}`, where, [], db =>
    db
      .selectFrom(schema.name)
      // No column of a table is named like this one, whose name has a space.
      .select([column, eb => eb.fn.countAll().as('row count')])
      .where(toSql(where, session.engine))
      .groupBy(column)
      .orderBy(sql.ref('row count'), 'desc')
      .orderBy(column)
      .limit(sql.lit(limit)),
  )
  return rows.map(({ 'row count': count, ...row }) => ({
    value: decodeRow(schema, row)[column],
    count: Number(count),
  }))
}
