import type { WfState } from '../../state'
import type { WfSetPayloadOptions } from './state-rows'

/** The columns of a row that keeps a state, but for those that mirror its content. */
export function stateColumns(
  handle: string,
  { schemaId, indexes, context, meta }: WfState,
  { expiresAt, now, actor, existing, follows = 0 }: WfSetPayloadOptions,
): Record<string, unknown> {
  return {
    handle,
    schemaId,
    state: { context, indexes, ...(meta && { meta }) },
    version: (existing?.version ?? follows) + 1,
    expiresAt: expiresAt ?? null,
    ...(existing ? {} : { createdAt: now, createdBy: actor ?? null }),
    updatedAt: now,
    lastUpdatedBy: actor ?? null,
  }
}
