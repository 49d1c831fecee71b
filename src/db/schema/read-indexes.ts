import type { TableIndex } from './table-schema'
import type { DbFieldType } from './table-type'

const LONGEST_NAME = 63

/** Fields that share the name of an index are indexed together, in the order of the fields. */
export function readIndexes(
  table: string,
  fields: ReadonlyMap<string, DbFieldType>,
): readonly TableIndex[] {
  const found = new Map<string, { columns: string[]; unique: boolean }>()
  for (const [column, { metadata }] of fields) {
    for (const unique of [false, true]) {
      const annotations = metadata.get(unique ? 'db.index.unique' : 'db.index.plain')
      for (const annotation of Array.isArray(annotations) ? annotations : []) {
        const unnamed = `${column}_${unique ? 'unique' : 'idx'}`
        const name = indexName(table, nameOf(annotation) ?? unnamed)
        const index = found.get(name) ?? { columns: [], unique }
        if (!index.columns.includes(column)) index.columns.push(column)
        found.set(name, { columns: index.columns, unique: index.unique || unique })
      }
    }
  }
  return [...found].map(([name, index]) => ({ name, ...index }))
}

/** Our plugin writes `{ name }`, the public one may write the name alone. */
function nameOf(annotation: unknown): string | undefined {
  if (typeof annotation === 'string') return annotation
  const name = (annotation as { name?: unknown } | null)?.name
  return typeof name === 'string' ? name : undefined
}

/** In SQLite and PostgreSQL an index name is taken for all tables, so the table's name goes first. */
function indexName(table: string, name: string): string {
  const full = `${table}__${name.replaceAll(/\W/gu, '_')}`
  return full.length <= LONGEST_NAME ? full : `${full.slice(0, LONGEST_NAME - 9)}_${hash(full)}`
}

/** FNV-1a: eight hex digits that tell two long names apart. */
function hash(text: string): string {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193) >>> 0
  }
  return sum.toString(16).padStart(8, '0')
}
