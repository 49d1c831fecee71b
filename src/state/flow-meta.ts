import { WfError, type WfErrorCode } from '../errors'
import type { WfState } from './wf-state'

/** Who a flow is, whatever its token is called now. Lives in the state, under `meta.wf`. */
export interface WfFlowMeta {
  readonly flowId: string
  /** How many times it has paused. */
  readonly seq: number
  readonly startedAt: number
  /** Who has started it. */
  readonly startedBy?: string | undefined
  /** Where it waits, and the shape of the workflow that it waits in. */
  readonly stepId?: string | undefined
  readonly shape?: string | undefined
  /** The workflow had that step more than once: its id alone does not tell where the flow waits. */
  readonly repeated?: true | undefined
  /** The outlet that has delivered the pause. */
  readonly outlet?: string | undefined
  /** What it has shown to the caller, where a later page of the same caller may ask for it again. */
  readonly shown?: { readonly payload?: unknown; readonly context?: unknown } | undefined
  /** The name of the strategy that keeps it. A token is not taken under another name. */
  readonly strategy?: string | undefined
  /** The token of this pause went to someone else, by mail for example. */
  readonly outOfBand?: true | undefined
  /** A hash of what the browser must know that may go on. */
  readonly browser?: string | undefined
  /** The same of the browser that `shown` was shown to, which alone may be shown it again. */
  readonly holder?: string | undefined
  /** What went wrong when someone tried to go on from here, for an admin to see. */
  readonly problem?: WfFlowProblem | undefined
  /** When the step said that the pause ends. Held to even where a strategy does not. */
  readonly expiresAt?: number | undefined
}

/** Why a flow could not go on. */
export interface WfFlowProblem {
  readonly code: WfErrorCode
  /** When it was seen last. */
  readonly at: number
  /** How often it was seen, one after another. */
  readonly times: number
}

const KEY = 'wf'

export function newFlowMeta(startedAt: number, startedBy?: string): WfFlowMeta {
  const flowId = globalThis.crypto.randomUUID()
  return { flowId, seq: 0, startedAt, ...(startedBy !== undefined && { startedBy }) }
}

/** Stored content is not trusted: anything that does not look like our note is none. */
export function flowMetaOf({ meta }: WfState): WfFlowMeta | undefined {
  const note = meta?.[KEY] as Partial<WfFlowMeta> | undefined | null
  const valid =
    typeof note?.flowId === 'string' &&
    typeof note.seq === 'number' &&
    typeof note.startedAt === 'number'
  return valid ? (note as WfFlowMeta) : undefined
}

export function withFlowMeta(state: WfState, meta: WfState['meta'], flow: WfFlowMeta): WfState {
  return { ...state, meta: { ...meta, [KEY]: flow } }
}

/** The same state with a note of what went wrong. Nothing that was thrown is kept but its code. */
export function withProblem(state: WfState, error: unknown, at: number): WfState {
  const flow = flowMetaOf(state)
  if (!flow) return state
  const code = error instanceof WfError ? error.code : 'WF_INTERNAL'
  const times = flow.problem?.code === code ? flow.problem.times + 1 : 1
  return withFlowMeta(state, state.meta, { ...flow, problem: { code, at, times } })
}
