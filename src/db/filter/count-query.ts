import type { CountBy } from '../operations/count-rows'
import type { TableSchema } from '../schema/table-schema'
import { parseControls } from './controls'
import type { DbFilter } from './filter'
import { filterError } from './filter-error'

/** The most values that are counted at once. */
const MOST_COUNTS = 1000

/** Which rows to count by a column, and how. */
export interface DbCountQuery<Row> {
  readonly filter?: DbFilter<Row>
  /** @default 1,000, which is the most */
  readonly limit?: number | undefined
  readonly every?: number | undefined
  readonly least?: string | undefined
}

/** @throws WfError `WF_DB_FILTER` */
export function parseCountBy(
  schema: TableSchema,
  column: string,
  { limit = MOST_COUNTS, every, least }: Pick<DbCountQuery<object>, 'limit' | 'every' | 'least'>,
): CountBy {
  const asked = least === undefined ? [column] : [column, least]
  // What can be sorted by can be counted, and has a smallest value.
  const $sort = Object.fromEntries(asked.map(name => [name, 1]))
  parseControls(schema, { $select: asked, $sort, $limit: limit })
  if (limit > MOST_COUNTS) throw filterError(`at most ${MOST_COUNTS} values are counted`)
  if (every !== undefined && !(Number.isSafeInteger(every) && every > 0)) {
    throw filterError('every is a whole number from 1')
  }
  if (every !== undefined && schema.columns.get(column)?.kind !== 'integer') {
    throw filterError('only whole numbers are counted by ranges')
  }
  return { column, every, least, limit }
}
