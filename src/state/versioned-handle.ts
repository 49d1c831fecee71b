import { randomId } from './random-id'
import type { WfState } from './wf-state'

/**
 * What a stable handle is known by is `<handle>~<version>`. Each pause has a version of its own, which
 * nobody can tell from an earlier one: whoever has started a flow that another goes on with must not
 * be able to follow. It travels in the state, so any store will do; it opens nothing without the handle.
 */
export interface VersionedHandle {
  readonly handle: string
  readonly version: string
}

// Earlier releases have counted: their tokens end in a number.
const PATTERN = /^(.+)~([1-9]\d{0,14}|[\w-]{16})$/su

export function parseVersionedHandle(raw: string): VersionedHandle | null {
  const [, handle, version] = PATTERN.exec(raw) ?? []
  return handle === undefined || version === undefined ? null : { handle, version }
}

export function formatVersionedHandle({ handle, version }: VersionedHandle): string {
  return `${handle}~${version}`
}

/** The same for all versions of one handle. */
export function handleIn(raw: string): string {
  return parseVersionedHandle(raw)?.handle ?? raw
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

/** What the handle of a stored state is known by, whether or not the strategy that keeps it is stable. */
export function rawTokenOf(handle: string, state: WfState): string {
  const version = versionOf(state)
  return version === undefined ? handle : formatVersionedHandle({ handle, version })
}
