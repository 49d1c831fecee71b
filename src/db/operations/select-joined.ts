import { WfError } from '../../errors'
import type { DbEngine } from '../db-engine'
import type { Condition } from '../filter/condition'
import { toSql } from '../filter/to-sql'
import { decodeRow } from '../row/decode-row'
import type { TableSchema } from '../schema/table-schema'
import type { Statement } from '../session/db-session'
import { statementWhere, type TableAccess } from './table-access'

type RawRow = Readonly<Record<string, unknown>>

/** What the columns of both are called in one row: no column has a space. */
const ONE = 'one '
const OTHER = 'other '

/**
 * A row that matches, and the row of another table whose id is in one of its columns.
 *
 * @throws WfError `WF_CONFIG` for tables of two databases
 */
export async function selectJoined(
  { schema, session }: TableAccess,
  where: Condition,
  column: string,
  other: TableAccess,
): Promise<readonly [Record<string, unknown>, Record<string, unknown>] | null> {
  const [id, ...others] = other.schema.primaryKey
  if (!schema.columns.has(column) || other.session !== session || others.length > 0) {
    throw new WfError('WF_CONFIG', `"${schema.name}" names no row of "${other.schema.name}" so.`)
  }
  const statement = joinedStatement(session.engine, schema, where, [column, id!], other.schema)
  const [row] = (await session.run(statement)).rows
  return row
    ? [
        decodeRow(schema, partOf(schema, row, ONE)),
        decodeRow(other.schema, partOf(other.schema, row, OTHER)),
      ]
    : null
}

function joinedStatement(
  engine: DbEngine,
  schema: TableSchema,
  where: Condition,
  [column, id]: readonly [string, string],
  other: TableSchema,
): Statement {
  const named = (table: string, columns: Iterable<string>, prefix: string) =>
    Array.from(columns, name => `${table}.${name} as ${prefix}${name}` as const)
  return statementWhere(schema, `with ${other.name} by ${column}`, where, [], db =>
    db
      .selectFrom(
        db
          .selectFrom(schema.name)
          .select([...schema.columns.keys()])
          .where(toSql(where, engine))
          .as('one'),
      )
      .innerJoin(`${other.name} as other`, `other.${id}`, `one.${column}`)
      .select([
        ...named('one', schema.columns.keys(), ONE),
        ...named('other', other.columns.keys(), OTHER),
      ]),
  )
}

function partOf({ columns }: TableSchema, row: RawRow, prefix: string): RawRow {
  const part: Record<string, unknown> = {}
  for (const name of columns.keys()) part[name] = row[prefix + name]
  return part
}
