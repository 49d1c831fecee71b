import type { TFlowOutput, TWorkflowSpy } from '@prostojs/wf'
import { key } from '@wooksjs/event-core'
import type { WfState } from '../../state'

/**
 * Called after each step that did not pause, and awaited before the next one starts. The state says
 * where a run would go on. Its context is the live object: serialise it before the first `await`.
 */
export type WfCheckpoint = (state: WfState) => void | Promise<void>

/** What one start or resume knows about itself while it runs. */
export class WfRun {
  /** The engine's own array: it always holds the position that is being run. */
  #live: readonly number[] = []
  #input: unknown

  constructor(
    readonly schemaId: string,
    readonly input: unknown,
    readonly checkpoint: WfCheckpoint | undefined,
  ) {
    this.#input = input
  }

  /** Watches the run for its live position. */
  readonly spy: TWorkflowSpy<unknown, unknown, unknown> = (event, _output, flow) => {
    if (event === 'workflow-start' || event === 'resume-start') this.#live = liveIndexes(flow)
  }

  /** A copy of the position of the step that runs now. */
  position(): number[] {
    return [...this.#live]
  }

  /** The run's input goes to the first step that runs, merged over the input its schema item has. */
  takeInput(itemInput: unknown): unknown {
    const input = this.#input
    this.#input = undefined
    if (input === undefined) return itemInput
    return isRecord(itemInput) && isRecord(input) ? { ...itemInput, ...input } : input
  }
}

/** Where a wrapped step finds the run that it belongs to. */
export const wfRunKey = key<WfRun>('moost-wf.run')

function liveIndexes(flow: TFlowOutput<unknown, unknown, unknown>): readonly number[] {
  return flow.state.indexes
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
