import type { WfState } from '../../state'

/**
 * The raw token of a stable handle is `<handle>~<version>`. The version travels in the state, so
 * any store will do.
 */
export interface StableToken {
  readonly handle: string
  readonly version: number
}

const PATTERN = /^(.+)~([1-9]\d{0,14})$/su

export function parseStableToken(raw: string): StableToken | null {
  const [, handle, version] = PATTERN.exec(raw) ?? []
  return handle === undefined ? null : { handle, version: Number(version) }
}

export function formatStableToken({ handle, version }: StableToken): string {
  return `${handle}~${version}`
}

const META_KEY = 'handleVersion'

export function versionOf(state: WfState): number {
  const version = state.meta?.[META_KEY]
  return typeof version === 'number' ? version : 0
}

/** The note is ours: whoever reads the state does not see it. */
export function withoutVersion(state: WfState): WfState {
  const { [META_KEY]: _version, ...meta } = state.meta ?? {}
  return { ...state, meta }
}

export function withVersion(state: WfState, version: number): WfState {
  return { ...state, meta: { ...state.meta, [META_KEY]: version } }
}

/** The raw token of a handle, whether or not the strategy that keeps the state is a stable one. */
export function tokenOf(handle: string, state: WfState): string {
  const version = versionOf(state)
  return version === 0 ? handle : formatStableToken({ handle, version })
}
