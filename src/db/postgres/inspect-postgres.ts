import { sql } from 'kysely'
import type { AnyKysely } from '../db-engine'
import type { TableInDatabase } from '../sync/table-in-database'

interface ColumnInfo {
  readonly name: string
  readonly type: string
  readonly collation: string | null
  readonly nullable: boolean
  readonly has_default: boolean
}

interface IndexInfo {
  readonly name: string
  readonly unique: boolean
  readonly primary: boolean
  /** Neither over expressions, nor left behind by a build that failed, nor partial, unless it is sparse. */
  readonly whole: boolean
  /** It leaves out the rows that have no value in its first column. */
  readonly sparse: boolean
  readonly columns: string[]
}

/** What PostgreSQL says of the table that statements would find by this name. */
export async function inspectPostgres(
  db: AnyKysely,
  table: string,
): Promise<TableInDatabase | null> {
  // Wherever the search path finds it, as statements do.
  const relation = sql`to_regclass(quote_ident(${table}))`
  const { rows: columns } = await sql<ColumnInfo>`
    select attname as name, format_type(atttypid, atttypmod) as type,
      case when attcollation = 0 then null else (select collname from pg_collation where oid = attcollation) end as collation,
      not attnotnull as nullable, atthasdef or attidentity <> '' as has_default
    from pg_attribute where attrelid = ${relation} and attnum > 0 and not attisdropped
    order by attnum`.execute(db)
  if (columns.length === 0) return null
  const { rows: indexes } = await sql<IndexInfo>`
    select class.relname as name, indisunique as "unique", indisprimary as "primary",
      indisvalid and indexprs is null and (indpred is null or sparse) as whole, sparse,
      array(select attname::text from unnest(indkey) with ordinality as key(number, position)
        join pg_attribute on attrelid = indrelid and attnum = key.number
        order by position) as columns
    from pg_index join pg_class class on class.oid = indexrelid
    cross join lateral (select coalesce(pg_get_expr(indpred, indrelid) = (
      select format('(%I IS NOT NULL)', attname) from pg_attribute
      where attrelid = indrelid and attnum = indkey[0]), false) as sparse) as predicate
    where indrelid = ${relation}`.execute(db)
  return {
    columns: columns.map(({ name, type, collation, nullable, has_default }) => ({
      name,
      type: collation === null ? type : `${type} collate "${collation}"`,
      nullable,
      hasDefault: has_default,
    })),
    primaryKey: indexes.find(({ primary }) => primary)?.columns ?? [],
    indexes: indexes
      .filter(({ primary }) => !primary)
      .map(({ name, unique, whole, sparse, columns: indexed }) => ({
        name,
        unique,
        sparse,
        columns: whole ? indexed : [...indexed, '(partial or invalid)'],
      })),
  }
}
