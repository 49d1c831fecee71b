/** A server that does not answer: nothing can be measured, and nothing has gone wrong. */
export class Unreachable extends Error {}

/** A name for a database of this run alone. */
export const databaseName = (of = '') => `bench_tables_${process.pid}${of}`

/** The URL of another database on the same server. */
export function withDatabase(url, name) {
  const changed = new URL(url)
  changed.pathname = name
  return changed.href
}
