import { sql } from 'kysely'
import type { AnyKysely } from '../db-engine'
import type { TableInDatabase } from '../sync/table-in-database'

interface ColumnInfo {
  readonly name: string
  readonly type: string
  readonly collation: string | null
  readonly nullable: string
  readonly default: string | null
  readonly extra: string
}

interface IndexInfo {
  readonly name: string
  readonly clashing: number
  readonly column: string
}

/** What MariaDB or MySQL says of a table. */
export async function inspectMysql(db: AnyKysely, table: string): Promise<TableInDatabase | null> {
  const here = sql`table_schema = database() and table_name = ${table}`
  const { rows: columns } = await sql<ColumnInfo>`
    select column_name as name, column_type as type, collation_name as collation,
      is_nullable as nullable, column_default as \`default\`, extra
    from information_schema.columns where ${here} order by ordinal_position`.execute(db)
  if (columns.length === 0) return null
  const { rows: parts } = await sql<IndexInfo>`
    select index_name as name, non_unique as clashing,
      concat(column_name, if(sub_part is null, '', ' (partial)')) as \`column\`
    from information_schema.statistics where ${here} order by index_name, seq_in_index`.execute(db)
  const named = (name: string) => parts.filter(part => part.name === name)
  return {
    columns: columns.map(column => ({
      name: column.name,
      type: typeOf(column),
      nullable: column.nullable === 'YES',
      // MariaDB spells "no default" of a nullable column as the text NULL.
      hasDefault:
        (column.default !== null && column.default !== 'NULL') ||
        column.extra.includes('auto_increment'),
    })),
    primaryKey: named('PRIMARY').map(({ column }) => column),
    indexes: [...new Set(parts.map(({ name }) => name))]
      .filter(name => name !== 'PRIMARY')
      .map(name => ({
        name,
        unique: Number(named(name)[0]!.clashing) === 0,
        sparse: false,
        columns: named(name).map(({ column }) => column),
      })),
  }
}

/** MariaDB shows a width for integers, MySQL no longer does. */
function typeOf({ type, collation }: ColumnInfo): string {
  const plain = type.replace(/^(bigint|tinyint)\(\d+\)$/u, '$1')
  return collation === null ? plain : `${plain} collate ${collation}`
}
