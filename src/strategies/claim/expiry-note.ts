import { isRecord, type WfState } from '../../state'

const KEY = 'expiresAt'

/**
 * When a pause ends, noted in its state: for strategies that have the public three methods only, which
 * are told a lifetime and never say when it is over.
 */
export function withExpiry(state: WfState, expiresAt: number | undefined): WfState {
  return expiresAt === undefined ? state : { ...state, meta: { ...state.meta, [KEY]: expiresAt } }
}

/** The state without the note, and what it says. Whoever reads the state does not see it. */
export function readExpiry(state: WfState): {
  readonly state: WfState
  readonly expiresAt?: number
} {
  const { [KEY]: expiresAt, ...meta } = state.meta ?? {}
  if (typeof expiresAt === 'number') return { state: { ...state, meta }, expiresAt }
  // The first version has noted it among the flow's own.
  const flat = isRecord(meta.wf) ? meta.wf.expiresAt : undefined
  return typeof flat === 'number' ? { state, expiresAt: flat } : { state }
}
