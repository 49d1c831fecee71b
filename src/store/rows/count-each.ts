import type { WfCount } from './wf-table'

/** How many rows have each value of a column, or each range of values, the most frequent first. */
export function countEach(
  rows: readonly object[],
  column: string,
  { every, least }: { readonly every?: number; readonly least?: string } = {},
): WfCount[] {
  const counts = new Map<unknown, { count: number; least?: unknown }>()
  for (const row of rows as readonly Readonly<Record<string, unknown>>[]) {
    const value = rangeOf(row[column] ?? null, every)
    const known = counts.get(value)
    const smallest = least === undefined ? {} : { least: smaller(known?.least, row[least]) }
    counts.set(value, { count: (known?.count ?? 0) + 1, ...smallest })
  }
  return [...counts]
    .map(([value, counted]) => ({ value, ...counted }))
    .toSorted((one, other) => other.count - one.count)
}

const rangeOf = (value: unknown, every: number | undefined): unknown =>
  every === undefined || typeof value !== 'number' ? value : value - (value % every)

/** What is nothing is not the smallest, as in databases. */
function smaller(one: unknown, other: unknown): unknown {
  if (one === undefined || one === null) return other ?? null
  if (other === undefined || other === null) return one
  return (one as number) <= (other as number) ? one : other
}
