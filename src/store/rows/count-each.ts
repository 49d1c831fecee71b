import type { WfCount } from './wf-table'

/** How many rows have each value of a column, the most frequent first. */
export function countEach(rows: readonly object[], column: string): WfCount[] {
  const counts = new Map<unknown, number>()
  for (const row of rows) {
    const value = (row as Record<string, unknown>)[column] ?? null
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((one, other) => other.count - one.count)
}
