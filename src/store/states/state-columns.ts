import type { WfState } from '../../state'
import { FlowColumns } from '../rows/flow-columns'
import type { WfTable } from '../rows/wf-table'
import type { WfSetPayloadOptions } from './state-rows'

/** The columns of a row that keeps a state, but for its shadow columns. */
export class StateColumns {
  readonly #flowColumns: FlowColumns

  constructor(table: WfTable) {
    this.#flowColumns = new FlowColumns(table)
  }

  of(
    handle: string,
    state: WfState,
    { expiresAt, now, actor, existing, follows = 0 }: WfSetPayloadOptions,
  ): Record<string, unknown> {
    const { schemaId, indexes, context, meta } = state
    const by = actor ?? null
    return {
      handle,
      schemaId,
      state: { context, indexes, ...(meta && { meta }) },
      version: (existing?.version ?? follows) + 1,
      expiresAt: expiresAt ?? null,
      ...(existing ? {} : { createdAt: now, createdBy: by }),
      updatedAt: now,
      lastUpdatedBy: by,
      ...this.#flowColumns.of(state),
    }
  }
}
