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

interface IndexPart {
  readonly name: string
  readonly unique: number
  readonly column: string
  readonly partial: number
  readonly sql: string
}

/** What SQLite says of a table. */
export async function inspectSqlite(db: AnyKysely, table: string): Promise<TableInDatabase | null> {
  const { rows: columns } =
    await sql<ColumnInfo>`select * from pragma_table_info(${table})`.execute(db)
  if (columns.length === 0) return null
  const { rows: parts } = await sql<IndexPart>`
    select list.name, list."unique", info.name as "column", list.partial, schema.sql
    from pragma_index_list(${table}) as list, pragma_index_info(list.name) as info, sqlite_master as schema
    where schema.type = 'index' and schema.name = list.name and list.origin = 'c' order by list.name, info.seqno`.execute(
    db,
  )
  const indexes = [...new Set(parts.map(({ name }) => name))].map(name => {
    const own = parts.filter(part => part.name === name)
    const { unique, partial, sql: text, column: first } = own[0]!
    const sparse =
      partial === 1 && text.toLowerCase().endsWith(`where "${first.toLowerCase()}" is not null`)
    const indexed = own.map(({ column }) => column)
    const columnsOf = partial === 1 && !sparse ? [...indexed, '(partial)'] : indexed
    return { name, unique: unique === 1, sparse, columns: columnsOf }
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
