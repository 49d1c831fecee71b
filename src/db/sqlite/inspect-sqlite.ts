import { sql } from 'kysely'
import type { AnyKysely } from '../db-engine'
import type { TableInDatabase } from '../sync/table-in-database'

interface ColumnInfo {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
}

/** What SQLite says of a table. */
export async function inspectSqlite(db: AnyKysely, table: string): Promise<TableInDatabase | null> {
  const { rows: columns } =
    await sql<ColumnInfo>`select * from pragma_table_info(${table})`.execute(db)
  if (columns.length === 0) return null
  const { rows: parts } = await sql<{ name: string; unique: number; column: string }>`
    select list.name, list."unique", info.name as "column"
    from pragma_index_list(${table}) as list, pragma_index_info(list.name) as info
    where list.origin = 'c' order by list.name, info.seqno`.execute(db)
  const indexes = [...new Set(parts.map(({ name }) => name))].map(name => {
    const own = parts.filter(part => part.name === name)
    return { name, unique: own[0]!.unique === 1, columns: own.map(({ column }) => column) }
  })
  return {
    columns: columns.map(({ name, type, notnull, dflt_value, pk }) => ({
      name,
      type: type.toLowerCase(),
      nullable: notnull === 0 && pk === 0,
      hasDefault: dflt_value !== null,
    })),
    primaryKey: columns
      .filter(({ pk }) => pk > 0)
      .toSorted((one, other) => one.pk - other.pk)
      .map(({ name }) => name),
    indexes,
  }
}
