import { WfError } from '../../errors'
import { assertColumns } from './scope-columns'
import type { WfTable, WfTableType } from './wf-table'

/** A row whose version goes up with each write. */
export interface VersionedRow {
  readonly version: number
  readonly [column: string]: unknown
}

/** The id of a row, as `@meta.id` has it. */
export type WfRowId = string | number

/** Which rows of a table are meant, and what names one. */
export interface VersionedRowsOptions {
  /** A unique column that names a row beside its id, or in place of one. */
  readonly key: string
  /** Columns that belong to every filter, and to every row that is written. */
  scope(): Record<string, unknown>
}

/**
 * The rows of a table within a scope, and the gates on them. What changes a row names it as it was
 * read: written again, it has another version; made anew, another id. So of all who have read it, one
 * gets through, and whoever is late changes nothing.
 */
export class VersionedRows<Row extends VersionedRow> {
  /** The column that `@meta.id` marks. Without one, the key. */
  readonly idColumn: string
  readonly #key: string
  readonly #scope: () => Record<string, unknown>

  /** @throws WfError `WF_CONFIG` for an id of several columns */
  constructor(
    readonly table: WfTable,
    { key, scope }: VersionedRowsOptions,
  ) {
    this.idColumn = idColumnOf(table.type) ?? key
    this.#key = key
    this.#scope = scope
  }

  /** Asked each time: who is there may depend on the request. */
  scope(): Record<string, unknown> {
    return assertColumns(this.#scope())
  }

  /** The row with this id. What cannot be an id is the id of no row. */
  async findById(id: WfRowId, $select?: readonly string[]): Promise<Row | null> {
    if (typeof id !== 'string' && typeof id !== 'number') return null
    const filter = { [this.idColumn]: id, ...this.scope() }
    const query = $select ? { filter, controls: { $select } } : { filter }
    return (await this.table.findOne(query).catch(noneIfUnfit)) as Row | null
  }

  /** Deletes the row that was read. @returns `false` if it is another by now, or gone */
  async delete(row: Row): Promise<boolean> {
    const { deletedCount } = await this.table.deleteMany(this.#exactly(row))
    return deletedCount > 0
  }

  /** Writes over the row that was read. @returns `false` if it is another by now, or gone */
  async write(row: Row, payload: object, table: WfTable = this.table): Promise<boolean> {
    const { matchedCount } = await table.updateMany(this.#exactly(row), payload)
    return matchedCount > 0
  }

  #exactly(row: Row): object {
    const { idColumn } = this
    const named = { [idColumn]: row[idColumn], [this.#key]: row[this.#key], version: row.version }
    return { ...named, ...this.scope() }
  }
}

/** For whoever acts on a row that has been looked at. */
export function movedOn(): WfError {
  return new WfError('WF_CONFLICT', 'The flow has moved on since it was looked at.')
}

function idColumnOf({ type }: WfTableType): string | undefined {
  const fields = [...(type.props ?? [])]
  const ids = fields.filter(([, field]) => field.metadata.get('meta.id')).map(([name]) => name)
  if (ids.length <= 1) return ids[0]
  throw new WfError('WF_CONFIG', 'AsWfStore: the row has one field with @meta.id, not several.')
}

function noneIfUnfit(error: unknown): null {
  if (error instanceof WfError && error.code === 'WF_DB_FILTER') return null
  throw error
}
