import { filterError, shown } from './filter-error'
import { plainEntries } from './plain-entries'

/**
 * The filter of a query; without the key it is one that matches all rows. Then nothing unknown may
 * stand beside it, else a column that was meant to be in a filter would be overlooked.
 *
 * @throws WfError `WF_DB_FILTER`
 */
export function filterOf(query: unknown, besides: readonly string[]): unknown {
  if (typeof query === 'object' && query !== null && 'filter' in query) return query.filter
  for (const [key] of plainEntries(query, 'a query')) {
    if (!besides.includes(key))
      throw filterError(`${shown(key)} belongs into the filter of a query`)
  }
  return {}
}
