import type { EventContext } from '@wooksjs/event-core'
import type { WfDescription, WfState } from '../state'

/** What the trigger tells a workflow app about a run. */
export interface WfTriggerRunOptions {
  readonly input?: unknown
  readonly eventContext: EventContext
  /** The state is the run's own copy. */
  readonly ownsState?: boolean
  /** Told of what happens in the run; `step`: a step has run. */
  readonly spy?: (event: string) => void
}

/** What a run of a workflow app comes back with. */
export interface WfRunOutput {
  readonly state: WfState
  readonly finished: boolean
  readonly inputRequired?: unknown
  /** Milliseconds since the epoch. */
  readonly expires?: number | undefined
  readonly errorList?: unknown
}

/** What the trigger needs of a workflow app: a `MoostWf`, or the public one. */
export interface WfTriggerDeps {
  start(schemaId: string, context: unknown, options: WfTriggerRunOptions): Promise<WfRunOutput>
  resume(state: WfState, options: WfTriggerRunOptions): Promise<WfRunOutput>
  /** Without it, positions cannot be checked. */
  describe?(schemaId: string): WfDescription | undefined
  /**
   * Asks whatever stands before the step that a state waits at, such as interceptors, whether the step
   * may run here, and runs neither the step nor its workflow's method.
   *
   * @throws what they refuse it with
   */
  guard?(state: WfState, options: Pick<WfTriggerRunOptions, 'eventContext'>): Promise<void>
}
