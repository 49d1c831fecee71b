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
  /** The smallest value of another column among them, where that was asked for. */
  readonly least?: unknown
}

/** How rows are counted by a column. */
export interface CountBy {
  readonly column: string
  /** Not each value, but each range of values of this width, which is named by where it begins. */
  readonly every?: number | undefined
  /** The column whose smallest value is told. */
  readonly least?: string | undefined
  readonly limit: number
}

/** How many rows there are for each value of a column, the most frequent first. */
export async function countRowsBy(
  access: TableAccess,
  where: Condition,
  { column, every, least, limit }: CountBy,
): Promise<DbCount[]> {
  const { schema, session } = access
  const shape = `count by ${JSON.stringify([column, every, least, limit])}`
  const { rows } = await runWhere(access, shape, where, [], db => {
    const ref = sql.ref(column)
    const value = every === undefined ? ref : sql`${ref} - ${ref} % ${sql.lit(every)}`
    const counted = db
      .selectFrom(schema.name)
      // No column of a table is named like these, whose names have a space.
      .select([value.as('row value'), eb => eb.fn.countAll().as('row count')])
      .where(toSql(where, session.engine))
      .groupBy(value)
      .orderBy(sql.ref('row count'), 'desc')
      .orderBy(sql.ref('row value'))
      .limit(sql.lit(limit))
    return least === undefined ? counted : counted.select(eb => eb.fn.min(least).as('row least'))
  })
  const decoded = (name: string, value: unknown) => decodeRow(schema, { [name]: value })[name]
  return rows.map(row => ({
    value: decoded(column, row['row value']),
    count: Number(row['row count']),
    ...(least !== undefined && { least: decoded(least, row['row least']) }),
  }))
}
