import { WfError, type WfErrorCode } from '../errors'
import { isRecord } from './is-record'
import { newFlowId } from './new-flow-id'
import type { WfPanel } from './wf-panel'
import type { WfState } from './wf-state'

/** Who a flow is, from its start to its end, whatever its token is called now. */
export interface WfFlow {
  readonly flowId: string
  /** How many times it has paused. */
  readonly seq: number
  readonly startedAt: number
  /** Who has started it. */
  readonly startedBy?: string | undefined
  /** Hashes of what its earlier pauses are watched by. */
  readonly watched?: readonly string[] | undefined
}

/** How it waits. Written anew with each pause. */
export interface WfPause {
  /** The name of the strategy that keeps it. A token is not taken under another name. */
  readonly strategy?: string | undefined
  /** The outlet that has delivered the pause. */
  readonly outlet?: string | undefined
  /** The token went to someone else, by mail for example. */
  readonly outOfBand?: true | undefined
  /** What was shown to the caller, where a later page of the same caller may ask for it again. */
  readonly shown?: { readonly payload?: unknown; readonly context?: unknown } | undefined
  /** A hash of what the browser must know that `shown` was shown to, which alone may see it again. */
  readonly holder?: string | undefined
  /** The same of the browser that alone may go on. */
  readonly browser?: string | undefined
  /** The form that will be asked for, which is shown to whoever opens the link without using it. */
  readonly form?: WfPausedForm | undefined
  /** A hash of what it is watched by, by those who wait for another to go on. */
  readonly watch?: string | undefined
  /** Whose turn it is, where that is not whoever has started the flow. Stays while they go on. */
  readonly recipient?: WfRecipient | undefined
  /** Its link is not sent anew for whoever asks. */
  readonly fresh?: false | undefined
  /** The people that it asks at the same time. */
  readonly panel?: WfPanel | undefined
  /** What went wrong when someone tried to go on from here, for an admin to see. */
  readonly problem?: WfFlowProblem | undefined
}

/** A form that a pause has named. The form itself is the step's: a deploy may have changed it. */
export interface WfPausedForm {
  readonly id: string
  readonly digest: string
  /** Whether what it shows of the context comes with a look at the link too, which scanners keep. */
  readonly showContext?: true | undefined
  /** What others with the same link are told once it was answered: when, and by whom if it is a text. */
  readonly usedNote?: string | true | undefined
}

/** Whom a message went to, and what is needed to send it again. */
export interface WfRecipient {
  /** The outlet that it went by. */
  readonly outlet: string
  /** Their address. */
  readonly target: string
  readonly template?: string | undefined
  /** What the message was told; not kept where the state has to be small. */
  readonly context?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Where it goes on, by name. The path in the state says it too; together they tell whether a build still
 * means the same by it.
 */
export interface WfPosition {
  /** The step that it waits at. */
  readonly stepId?: string | undefined
  /** The step that it has left behind, where it does not wait at one. */
  readonly after?: string | undefined
  /** The shape of the workflow. */
  readonly shape?: string | undefined
  /** The workflow has that step more than once: its id alone does not tell where. */
  readonly repeated?: true | undefined
}

/** What is noted about a flow, in its state under `meta.wf`: three records with a lifetime each. */
export interface WfNotes {
  readonly flow: WfFlow
  readonly pause?: WfPause | undefined
  readonly position?: WfPosition | undefined
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

export function newFlow(startedAt: number, startedBy?: string): WfFlow {
  const flowId = newFlowId(startedAt)
  return { flowId, seq: 0, startedAt, ...(startedBy !== undefined && { startedBy }) }
}

/** Stored content is not trusted: anything that does not look like our notes is none. */
export function notesOf({ meta }: WfState): WfNotes | undefined {
  const notes = meta?.[KEY]
  if (!isRecord(notes)) return undefined
  if (!isRecord(notes.flow)) return isFlow(notes) ? fromFlatNotes(notes) : undefined
  const { flow, pause, position } = notes
  if (!isFlow(flow) || !isRecordOrNone(pause) || !isRecordOrNone(position)) return undefined
  return notes as unknown as WfNotes
}

/** Whether what is noted can be read. Notes that were damaged could have said who may go on. */
export function hasReadableNotes(state: WfState): boolean {
  return state.meta?.[KEY] === undefined || notesOf(state) !== undefined
}

/** Whether a flow stands in both where it has paused, and has not gone on in between. */
export function isSamePause(one: WfState, other: WfState): boolean {
  const [flow, later] = [notesOf(one)?.flow, notesOf(other)?.flow]
  return flow?.flowId === later?.flowId && flow?.seq === later?.seq
}

/** The state with these notes in place of what it had. */
export function withNotes(state: WfState, notes: WfNotes, meta = state.meta): WfState {
  const { schemaId, indexes, context } = state
  return { schemaId, indexes, context, meta: Object.assign({}, meta, { [KEY]: notes }) }
}

/** The same state with a note of what went wrong. Nothing that was thrown is kept but its code. */
export function withProblem(state: WfState, error: unknown, at: number): WfState {
  const notes = notesOf(state)
  if (!notes) return state
  const code = error instanceof WfError ? error.code : 'WF_INTERNAL'
  const last = notes.pause?.problem
  const problem = { code, at, times: last?.code === code ? last.times + 1 : 1 }
  return withNotes(state, { ...notes, pause: { ...notes.pause, problem } })
}

function isFlow(note: object): note is WfFlow {
  const { flowId, seq, startedAt } = note as Partial<WfFlow>
  return typeof flowId === 'string' && typeof seq === 'number' && typeof startedAt === 'number'
}

function isRecordOrNone(note: unknown): boolean {
  return note === undefined || isRecord(note)
}

/** The first version has written all of it side by side. */
function fromFlatNotes(flat: WfFlow & WfPause & WfPosition): WfNotes {
  const { flowId, seq, startedAt, startedBy } = flat
  const { strategy, outlet, outOfBand, shown, holder, browser, problem } = flat
  const { stepId, shape, repeated } = flat
  return {
    flow: { flowId, seq, startedAt, startedBy },
    pause: { strategy, outlet, outOfBand, shown, holder, browser, problem },
    position: { stepId, shape, repeated },
  }
}
