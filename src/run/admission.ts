import { useLogger } from '@wooksjs/event-core'
import {
  continuationOf,
  notesOf,
  type WfPeek,
  type WfRefusal,
  type WfRefusalReason,
  type WfState,
} from '../state'
import { isRightBrowser } from './browser-mark'
import type { WfTriggerDeps } from './deps'
import type { RunConfig } from './run-config'

/** What the caller wants to go on with. */
export interface AdmissionRequest {
  readonly wfid?: string
  /** The strategy that the token names. */
  readonly strategyName: string
  /** What the browser is known by, if it has shown anything. */
  readonly browser?: string
}

type Gates = Pick<RunConfig, 'allows' | 'maxLifetime' | 'clock'>

/** The checks that a paused state must pass before it is taken. */
export function admission(
  gates: Gates,
  deps: WfTriggerDeps,
  request: AdmissionRequest,
): (peek: WfPeek) => WfRefusal | null {
  return found => {
    const { state } = found
    const reason =
      isState(state) && isOf(request.strategyName, state)
        ? reasonAgainst(state, gates, deps, request)
        : 'garbled'
    if (!reason) return null
    return isForItsHolder(reason) ? { refusal: reason, found } : { refusal: reason }
  }
}

/** Whether whoever has the token may learn what it stands for, although it is not taken. */
function isForItsHolder(reason: WfRefusalReason): boolean {
  return reason === 'expired' || reason === 'wrong-browser' || reason === 'definition-changed'
}

function reasonAgainst(
  state: WfState,
  { allows, maxLifetime, clock }: Gates,
  deps: WfTriggerDeps,
  { wfid, browser }: AdmissionRequest,
): WfRefusalReason | null {
  const notes = notesOf(state)
  if (wfid !== undefined && wfid !== state.schemaId) return 'mismatch'
  if (!allows(state.schemaId)) return 'not-allowed'
  // When the pause ends is for its strategy to know; this is the end of the flow.
  const end = notes && maxLifetime && notes.flow.startedAt + maxLifetime
  if (end !== undefined && end <= clock.now()) return 'expired'
  if (!isRightBrowser(browser, notes?.pause)) return 'wrong-browser'
  return fits(state, deps) ? null : 'definition-changed'
}

/** Two strategies may share a store; a token still belongs to the one that issued it. */
export function isOf(strategyName: string, state: WfState): boolean {
  return (notesOf(state)?.pause?.strategy ?? strategyName) === strategyName
}

/** Whether this build can go on with the state. A migration that fails leaves it for the next build. */
export function fits(state: WfState, deps: Pick<WfTriggerDeps, 'describe'>): boolean {
  try {
    return continuationOf(state, deps) !== undefined
  } catch (error) {
    useLogger().error(`The migration of workflow "${state.schemaId}" failed`, error)
    return false
  }
}

function isState(state: unknown): state is WfState {
  const { schemaId, indexes } = (state ?? {}) as Partial<WfState>
  return (
    typeof schemaId === 'string' &&
    Array.isArray(indexes) &&
    indexes.length > 0 &&
    indexes.every(index => Number.isInteger(index) && index >= 0)
  )
}
