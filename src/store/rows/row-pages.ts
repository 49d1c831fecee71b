import { WfError } from '../../errors'
import { isRecord } from '../../state'
import { countEach } from './count-each'
import type { WfCountByOptions, WfCountOptions, WfListOptions } from './row-query'
import type { VersionedRow, VersionedRows } from './versioned-rows'
import type { WfCount, WfSql, WfTableQuery } from './wf-table'

/** Rows for an admin's page: many at once, counted, and with the SQL that finds them. */
export class RowPages<Row extends VersionedRow> {
  readonly #rows: VersionedRows<Row>

  constructor(rows: VersionedRows<Row>) {
    this.#rows = rows
  }

  async list(options: WfListOptions): Promise<Row[]> {
    return (await this.#rows.table.findMany(this.#query(options))) as Row[]
  }

  async count(options: WfCountOptions): Promise<number> {
    const { filter } = this.#query(options)
    return countMatching(this.#rows, filter)
  }

  async countBy(
    column: string,
    { limit = 100, every, least, ...options }: WfCountByOptions,
  ): Promise<readonly WfCount[]> {
    const { table } = this.#rows
    const { filter } = this.#query(options)
    const how = {
      ...(every !== undefined && { every }),
      ...(least !== undefined && { least }),
    }
    if (table.countBy) return table.countBy(column, { filter, limit, ...how })
    const $select = least === undefined ? [column] : [column, least]
    const rows = await table.findMany({ filter, controls: { $select } })
    return countEach(rows, column, how).slice(0, limit)
  }

  toSql(operation: 'list' | 'count', options: WfListOptions): WfSql | null {
    const name = operation === 'list' ? 'findMany' : 'count'
    return this.#rows.table.toSql?.(name, this.#query(options)) ?? null
  }

  #query(options: WfListOptions): WfTableQuery {
    const { schemaId, filter, controls, ...unknown } = { filter: {}, ...options }
    // Without a filter all rows are meant: a column beside it must not be overlooked.
    if (!isEmpty(unknown) || filter === undefined) {
      throw new WfError('WF_DB_FILTER', 'A list takes schemaId, filter and controls.')
    }
    const named = schemaId === undefined ? {} : { schemaId }
    // Without what says nothing: the SQL is shown.
    const $and = [named, filter, this.#rows.scope()].filter(part => !isEmpty(part))
    return { filter: $and.length > 0 ? { $and } : {}, controls }
  }
}

/** How many rows match, also in a table that cannot count. */
export async function countMatching<Row extends VersionedRow>(
  { table, idColumn }: VersionedRows<Row>,
  filter: object,
): Promise<number> {
  if (table.count) return table.count({ filter })
  return (await table.findMany({ filter, controls: { $select: [idColumn] } })).length
}

function isEmpty(filter: object): boolean {
  return isRecord(filter) && Object.keys(filter).length === 0
}
