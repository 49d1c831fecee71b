import { assertSignalName, type WfDeadlineOptions } from '../state'

/** A pause that has no link: a machine ends it. */
export class WfAwaitedSignal {
  constructor(
    readonly name: string,
    readonly deadline?: WfDeadlineOptions,
  ) {}
}

/** Until when a step waits for a signal. */
export interface WfWaitOptions {
  /** In place of that of the step. Nobody can be reminded. */
  readonly deadline?: WfDeadlineOptions | undefined
}

/** What a step returns to wait for a signal. */
export interface WfSignalPause {
  inputRequired: WfAwaitedSignal
}

/**
 * Pauses a durable run until it gets a signal of this name, by `runs.signal()`. Then the step runs again, with
 * the payload as its input. A signal that has come already is taken at once.
 *
 * A deadline, its own or that of its step, ends the pause if none has come by then. Of a signal and a deadline at
 * the same moment one wins: a signal that `runs.signal()` has called awaited is taken.
 *
 * @throws TypeError for a name that is none
 *
 * @example
 * ```ts
 * import { Step, waitFor, WorkflowParam } from '@atscript/moost-wf'
 *
 * class Payment {
 *   @Step('paid')
 *   paid(@WorkflowParam('input') input?: { amount: number }) {
 *     if (!input) return waitFor('payment')
 *     console.log(`They have paid ${input.amount}.`)
 *   }
 * }
 * ```
 */
export function waitFor(name: string, { deadline }: WfWaitOptions = {}): WfSignalPause {
  assertSignalName(name)
  return { inputRequired: new WfAwaitedSignal(name, deadline) }
}
