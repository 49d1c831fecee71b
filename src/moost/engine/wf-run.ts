import type { TWorkflowSpy } from '@prostojs/wf'
import { key } from '@wooksjs/event-core'
import { WfError } from '../../errors'
import { type RunHooks, takeRunHooks } from '../../run'
import { isRecord, type WfState, type WfStepBehind } from '../../state'
import type { Course } from './named-steps'

/**
 * Called after each step that did not pause, and awaited before the next one starts. The state says
 * where a run would go on. Its context is the live object: serialise it before the first `await`.
 */
export type WfCheckpoint = (state: WfState, behind?: WfStepBehind) => void | Promise<void>

const ROUNDS_PER_TURN = 50
const MAX_ROUNDS = 100_000

/** What one start or resume knows about itself while it runs. */
export class WfRun {
  /** The engine's own array: it always holds the position that is being run. */
  #live: readonly number[]
  #input: unknown
  #rounds = 0

  readonly checkpoint: WfCheckpoint | undefined
  /** How it goes through named steps, where its workflow has such. */
  course: Course | undefined
  /** Runs a step, where it matters which one does what. */
  readonly inStep: RunHooks['inStep']
  /** Called when a step has run. */
  readonly stepDone: (() => void) | undefined
  /** Called when a step has thrown. */
  readonly stepFailed: ((position: readonly number[]) => void) | undefined

  /** @param indexes the array that the engine is given; a start has none */
  constructor(
    readonly schemaId: string,
    readonly input: unknown,
    checkpoint: WfCheckpoint | undefined,
    indexes: readonly number[] = [],
  ) {
    this.#input = input
    this.#live = indexes
    const hooks = takeRunHooks(schemaId)
    this.checkpoint = checkpoint ?? hooks?.checkpoint
    this.inStep = hooks?.inStep
    this.stepDone = hooks?.stepDone
    this.stepFailed = hooks?.stepFailed
  }

  /** Watches a start for its live position, and lets `spy` watch too. */
  watchStart<T, I, IR>(spy: TWorkflowSpy<T, I, IR> | undefined): TWorkflowSpy<T, I, IR> {
    return (event, output, flow, ms) => {
      if (event === 'workflow-start') this.#live = flow.state.indexes
      spy?.(event, output, flow, ms)
    }
  }

  /**
   * Called in every round of a loop. Lets other requests have their turn, because a loop that never
   * waits would hold up the whole server, and ends one that goes round for ever.
   *
   * @throws WfError `WF_CONFIG`
   */
  nextRound(): true | Promise<true> {
    if (++this.#rounds > MAX_ROUNDS) {
      throw new WfError(
        'WF_CONFIG',
        `Workflow "${this.schemaId}" went round ${MAX_ROUNDS} times without a pause.`,
      )
    }
    return this.#rounds % ROUNDS_PER_TURN === 0 ? nextTurn() : true
  }

  /** A copy of the position of the step that runs now. */
  position(): number[] {
    return this.#live.slice()
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

function nextTurn(): Promise<true> {
  return new Promise(resolve => setImmediate(() => resolve(true)))
}
