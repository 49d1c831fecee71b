import { randomId, type WfState } from '../../state'

/**
 * The raw token of a stable handle is `<handle>~<version>`. Each pause has a version of its own, which
 * nobody can tell from an earlier one: whoever has started a flow that another goes on with must not
 * be able to follow. It travels in the state, so any store will do; it opens nothing without the handle.
 */
export interface StableToken {
  readonly handle: string
  readonly version: string
}

// Earlier releases have counted: their tokens end in a number.
const PATTERN = /^(.+)~([1-9]\d{0,14}|[\w-]{16})$/su

export function parseStableToken(raw: string): StableToken | null {
  const [, handle, version] = PATTERN.exec(raw) ?? []
  return handle === undefined || version === undefined ? null : { handle, version }
}

export function formatStableToken({ handle, version }: StableToken): string {
  return `${handle}~${version}`
}

/** A version that nobody can guess. */
export function newVersion(): string {
  return randomId()
}

const META_KEY = 'handleVersion'

/** The version of a state; `undefined` if no stable handle has kept it. */
export function versionOf(state: WfState): string | undefined {
  const version = state.meta?.[META_KEY]
  return typeof version === 'string' || typeof version === 'number' ? String(version) : undefined
}

/** The note is ours: whoever reads the state does not see it. */
export function withoutVersion(state: WfState): WfState {
  const { [META_KEY]: _version, ...meta } = state.meta ?? {}
  return { ...state, meta }
}

export function withVersion(state: WfState, version: string): WfState {
  return { ...state, meta: { ...state.meta, [META_KEY]: version } }
}

/** The raw token of a handle, whether or not the strategy that keeps the state is a stable one. */
export function tokenOf(handle: string, state: WfState): string {
  const version = versionOf(state)
  return version === undefined ? handle : formatStableToken({ handle, version })
}
