import { notesOf, type WfState } from '../../state'
import type { WfTable } from './wf-table'

const FLOW_COLUMNS = ['flowId', 'startedAt', 'startedBy'] as const

/** Who a flow is, as columns, so that an admin sees its age and its origin. */
export class FlowColumns {
  readonly #table: WfTable
  readonly #names: readonly (typeof FLOW_COLUMNS)[number][]

  constructor(table: WfTable) {
    const columns = table.type.type.props
    this.#table = table
    this.#names = FLOW_COLUMNS.filter(column => columns?.has(column))
  }

  /** Those that the table has. */
  of(state: WfState): Record<string, unknown> {
    const flow = notesOf(state)?.flow
    const columns: Record<string, unknown> = {}
    for (const column of this.#names) {
      const value = flow?.[column]
      // They come with the state, which may have been anywhere.
      columns[column] = (this.#table.fits?.(column, value) ?? true) ? (value ?? null) : null
    }
    return columns
  }
}
