import { useLogger } from '@wooksjs/event-core'
import {
  type Continuation,
  continuationOf,
  hasReadableNotes,
  notesOf,
  type WfPeek,
  type WfRefusal,
  type WfRefusalReason,
  type WfState,
} from '../state'
import { isRightBrowser } from './browser-mark'
import type { WfTriggerDeps } from './deps'
import { type KnownPerson, reasonAgainstSeat } from './seat-gate'
import type { RunConfig } from './run-config'

/** What the caller wants to go on with. */
export interface AdmissionRequest {
  readonly wfid?: string
  /** The strategy that the token names. */
  readonly strategyName: string
  /** What the browser is known by, if it has shown anything. */
  readonly browser?: string
  /** Nobody asks: the run goes on by itself. */
  readonly isUnasked?: true
}

type Gates = Pick<RunConfig, 'allows' | 'maxLifetime' | 'clock'>

/** The checks that a paused state must pass before it is taken. */
export class Admission {
  readonly #gates: Gates
  readonly #deps: WfTriggerDeps
  readonly #request: AdmissionRequest
  #known: KnownPerson = {}
  /** Of the state that was let in last: it need not be looked for twice. */
  #found: { readonly state: WfState; readonly continuation: Continuation } | undefined

  constructor(gates: Gates, deps: WfTriggerDeps, request: AdmissionRequest) {
    this.#gates = gates
    this.#deps = deps
    this.#request = request
  }

  /** Who asks, where that matters. Without a name it is nobody. */
  meet(known: KnownPerson): void {
    this.#known = { ...known, actor: known.actor || undefined }
  }

  readonly admit = (found: WfPeek): WfRefusal | null => {
    const { state } = found
    const reason =
      isState(state) && hasReadableNotes(state) && isOf(this.#request.strategyName, state)
        ? this.#reasonAgainst(found)
        : 'garbled'
    if (!reason) return null
    return isForItsHolder(reason) ? { refusal: reason, found } : { refusal: reason }
  }

  /** Where this build goes on with a state that was let in. */
  continuationOf(state: WfState): Continuation {
    const found = this.#found?.state === state ? this.#found.continuation : undefined
    return found ?? continuationOf(state, this.#deps) ?? { state }
  }

  #reasonAgainst({ state, seat }: WfPeek): WfRefusalReason | null {
    const { allows, maxLifetime, clock } = this.#gates
    const { wfid, browser, isUnasked } = this.#request
    const notes = notesOf(state)
    if (wfid !== undefined && wfid !== state.schemaId) return 'mismatch'
    if (!allows(state.schemaId)) return 'not-allowed'
    // When the pause ends is for its strategy to know; this is the end of the flow.
    const end = notes && maxLifetime && notes.flow.startedAt + maxLifetime
    const isOver = end !== undefined && end <= clock.now()
    // What goes on by itself was answered in time, in the right browser.
    if (isOver && !isUnasked) return 'expired'
    if (!isUnasked && !isRightBrowser(browser, notes?.pause)) return 'wrong-browser'
    const notTheirs = isUnasked ? null : reasonAgainstSeat(notes?.pause, seat, this.#known)
    if (notTheirs) return notTheirs
    const continuation = findContinuation(state, this.#deps)
    if (!continuation) return 'definition-changed'
    this.#found = { state, continuation }
    return null
  }
}

/** Whether whoever has the token may learn what it stands for, although it is not taken. */
function isForItsHolder(reason: WfRefusalReason): boolean {
  return reason === 'expired' || reason === 'wrong-browser' || reason === 'definition-changed'
}

/** Two strategies may share a store; a token still belongs to the one that issued it. */
export function isOf(strategyName: string, state: WfState): boolean {
  return (notesOf(state)?.pause?.strategy ?? strategyName) === strategyName
}

/** Whether this build can go on with the state. */
export function fits(state: WfState, deps: Pick<WfTriggerDeps, 'describe'>): boolean {
  return findContinuation(state, deps) !== undefined
}

/** A migration that fails leaves the state for the next build. */
function findContinuation(
  state: WfState,
  deps: Pick<WfTriggerDeps, 'describe'>,
): Continuation | undefined {
  try {
    return continuationOf(state, deps)
  } catch (error) {
    useLogger().error(`The migration of workflow "${state.schemaId}" failed`, error)
    return undefined
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
