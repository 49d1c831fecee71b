import { WfError } from '../../errors'
import type { TableIndex } from './table-schema'
import type { DbFieldType } from './table-type'

const LONGEST_NAME = 63

/** Fields that share the name of an index are indexed together, in the order of the fields. */
export function readIndexes(
  table: string,
  fields: ReadonlyMap<string, DbFieldType>,
): readonly TableIndex[] {
  const found = new Map<string, { columns: string[]; kinds: Set<Kind> }>()
  for (const [column, { metadata }] of fields) {
    for (const kind of KINDS) {
      const annotations = metadata.get(`db.index.${kind}`)
      for (const annotation of Array.isArray(annotations) ? annotations : []) {
        const unnamed = `${column}_${kind === 'unique' ? 'unique' : 'idx'}`
        const name = indexName(table, nameOf(annotation) ?? unnamed)
        const index = found.get(name) ?? { columns: [], kinds: new Set() }
        if (!index.columns.includes(column)) index.columns.push(column)
        index.kinds.add(kind)
        found.set(name, index)
      }
    }
  }
  return [...found].map(([name, { columns, kinds }]) => {
    const sparse = kinds.has('sparse')
    if (sparse && (kinds.size > 1 || columns.length > 1)) throw notSparse(table, name)
    return { name, columns, unique: kinds.has('unique'), sparse }
  })
}

const KINDS = ['plain', 'unique', 'sparse'] as const
type Kind = (typeof KINDS)[number]

const notSparse = (table: string, index: string): WfError =>
  new WfError(
    'WF_CONFIG',
    `The index "${index}" of "${table}" is of one column, and neither plain nor unique, because it is sparse.`,
  )

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
