import { assertSignalName } from '../state'

/** A pause that has no link: a machine ends it. */
export class WfAwaitedSignal {
  constructor(readonly name: string) {}
}

/** What a step returns to wait for a signal. */
export interface WfSignalPause {
  inputRequired: WfAwaitedSignal
}

/**
 * Pauses a durable run until it gets a signal of this name, by `runs.signal()`. Then the step runs again, with
 * the payload as its input. A signal that has come already is taken at once.
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
export function waitFor(name: string): WfSignalPause {
  assertSignalName(name)
  return { inputRequired: new WfAwaitedSignal(name) }
}
