import type { WfDeadlineOptions } from './deadline'
import type { WfRetryPolicy } from './retry-policy'
import type { WfStepForm } from './wf-step-form'

/** A step of a workflow and the position at which it stands. */
export interface WfStepPosition {
  readonly stepId: string
  readonly indexes: readonly number[]
}

/** A group of items of a workflow: a loop, or one that runs under a condition. */
export interface WfGroupPosition {
  /** The positions of what is in it begin with these. */
  readonly indexes: readonly number[]
  readonly kind: 'group' | 'loop'
  readonly conditional: boolean
}

/** What a build knows about one of its workflows: enough to tell whether a paused state fits. */
export interface WfDescription {
  readonly schemaId: string
  /**
   * A hash over step ids, nesting, kinds and the presence of conditions. Two builds of one source
   * have the same shape, minified or not.
   */
  readonly shape: string
  /** Every step in the order of the schema. */
  readonly steps: readonly WfStepPosition[]
  /** Every group, each before what is in it. A step with a condition is in a group of its own. */
  readonly groups?: readonly WfGroupPosition[] | undefined
  /** The id of the step at this position; `undefined` when no step stands there. */
  stepIdAt(indexes: readonly number[]): string | undefined
  /** Whether a run can go on from here: at an item, or right behind the last one of its group. */
  hasPosition(indexes: readonly number[]): boolean
  /** The forms that a step declares. Without it, none are known. */
  formsOf?(stepId: string): readonly WfStepForm[]
  /** The id of the step that the workflow calls so; `undefined` unless it has that step once. */
  stepIdOf?(name: string): string | undefined
  /** What a step says of itself. Without it, nothing is known. */
  policyOf?(stepId: string): WfStepPolicy | undefined
  /** How the workflow brings old states along, if it says. */
  readonly migrate?: WfMigrate | undefined
  /** What a fresh flow keeps of an expired one, if the workflow says. */
  readonly carryOver?: WfCarryOver | undefined
}

/** What a step says of how it is run. */
export interface WfStepPolicy {
  /** How it is tried again when it has failed. */
  readonly retry?: WfRetryPolicy | undefined
  /** Until when its pauses wait, unless they say so themselves. */
  readonly deadline?: WfDeadlineOptions | undefined
}

/** What is kept when an expired flow is started anew. */
export interface WfCarryOver {
  /** Keys of the context. Only what the user has typed: never what a step has verified. */
  readonly keys: readonly string[]
  /** Milliseconds after the expiry for which it is kept. */
  readonly graceMs: number
}

/** What is known of where a state was paused. */
export interface WfPausedAt {
  readonly stepId?: string | undefined
  /** The step that it had just left behind, where it did not wait at one. */
  readonly after?: string | undefined
  readonly shape?: string | undefined
}

/** Where a state goes on: at a step that the workflow has once, with this context. */
export interface WfMigrated<T = unknown> {
  readonly stepId: string
  readonly context: T
}

/**
 * Brings a state along that was paused in a workflow which has changed since, and whose step is gone.
 * Gets a copy of its context. Must have no effects: it may be asked more than once.
 *
 * @returns where it goes on, or nothing if it cannot
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the context is whatever an older build has left
export type WfMigrate<T = any> = (context: T, from: WfPausedAt) => WfMigrated<T> | null | undefined
