import type { TableSchema } from '../schema/table-schema'
import { filterError, shown } from './filter-error'
import { plainEntries } from './plain-entries'

/** Which part of the matching rows, in which order, with which columns. */
export interface DbControls<Row, Selected extends keyof Row = keyof Row> {
  readonly $limit?: number | undefined
  readonly $skip?: number | undefined
  /** `1` or `'asc'` from small to large with nulls first; `-1` or `'desc'` the reverse. */
  readonly $sort?: { readonly [Column in keyof Row]?: 1 | -1 | 'asc' | 'desc' } | undefined
  /** Only these columns. Without it, all of them. */
  readonly $select?: readonly Selected[] | undefined
}

/** Checked controls. */
export interface Page {
  readonly limit?: number
  readonly skip?: number
  readonly sort: readonly { readonly column: string; readonly descending: boolean }[]
  readonly select: readonly string[]
  /** Equal for equal pages. */
  readonly shape: string
}

const DESCENDING = new Map<unknown, boolean>([
  [1, false],
  ['asc', false],
  [-1, true],
  ['desc', true],
])

const wholePages = new WeakMap<TableSchema, { readonly all: Page; readonly one: Page }>()

/**
 * @param limit what is asked for, whatever the controls say
 * @throws WfError `WF_DB_FILTER`
 */
export function parseControls(schema: TableSchema, controls: unknown, limit?: 1): Page {
  if (controls !== undefined) return parsePage(schema, controls, limit)
  const known = wholePages.get(schema) ?? {
    all: parsePage(schema, {}, undefined),
    one: parsePage(schema, {}, 1),
  }
  wholePages.set(schema, known)
  return limit === 1 ? known.one : known.all
}

function parsePage(schema: TableSchema, controls: unknown, limit: 1 | undefined): Page {
  const page: { -readonly [Key in keyof Omit<Page, 'shape'>]: Page[Key] } = {
    sort: [],
    select: [...schema.columns.keys()],
  }
  for (const [control, value] of plainEntries(controls, 'controls')) {
    if (value === undefined) continue
    if (control === '$limit') page.limit = toCount(control, value, 1)
    else if (control === '$skip') page.skip = toCount(control, value, 0)
    else if (control === '$sort') page.sort = parseSort(schema, value)
    else if (control === '$select') page.select = parseSelect(schema, value)
    else throw filterError(`${shown(control)} is not a known control`)
  }
  if (limit !== undefined) page.limit = limit
  return { ...page, shape: JSON.stringify(page) }
}

function toCount(control: string, value: unknown, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number
  throw filterError(`${control} takes a whole number from ${least}`)
}

function parseSort(schema: TableSchema, value: unknown): Page['sort'] {
  return plainEntries(value, '$sort').map(([name, order]) => {
    const descending = DESCENDING.get(order)
    if (descending === undefined) throw filterError("$sort takes 1, -1, 'asc' or 'desc'")
    if (columnOf(schema, name).kind === 'json') throw filterError(`${shown(name)} holds JSON`)
    return { column: name, descending }
  })
}

function parseSelect(schema: TableSchema, value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0) throw filterError('$select takes column names')
  return [...new Set(Array.from(value, name => columnOf(schema, name).name))]
}

function columnOf(schema: TableSchema, name: unknown) {
  if (typeof name !== 'string') throw filterError('a column is named by a string')
  const column = schema.columns.get(name)
  if (column) return column
  throw filterError(`${shown(name)} is not a known column of "${schema.name}"`)
}
