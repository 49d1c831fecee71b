import { useRunScope } from './run-scope'

/** What a step can know of itself. */
export interface WfStepInfo {
  /**
   * The same whenever this step runs for the same reason again, after a failure or in another process, and
   * another one for whatever runs else: to hand to a payment provider, so that paying twice is paying once.
   */
  readonly idempotencyKey: string
  /** How often it has been begun, this time included. Known to durable runs; 1 elsewhere. */
  readonly attempt: number
  /**
   * Fires when what the step does comes to nothing, because another process goes on with the run, because
   * it was cancelled, or because the step takes too long. Hand it to `fetch`. Only durable runs fire it, but
   * for a `timeoutMs` of `@StepRetry`.
   */
  readonly signal: AbortSignal
}

/**
 * What a step needs to know to be run more than once: after a crash or a failure it runs again.
 *
 * @throws WfError `WF_CONFIG` outside of a workflow that a request runs
 *
 * @example
 * ```ts
 * import { Step, useWfStep } from '@atscript/moost-wf'
 *
 * class Payment {
 *   @Step('pay')
 *   async pay() {
 *     const { idempotencyKey, signal } = useWfStep()
 *     const headers = { 'idempotency-key': idempotencyKey }
 *     await fetch('https://pay.example.com/charges', { method: 'POST', headers, signal })
 *   }
 * }
 * ```
 */
export function useWfStep(): WfStepInfo {
  const { step, stepsRun, stepSignal } = useRunScope('useWfStep()')
  const { flowId, seq, stepsDone = 0, attempt = 1, signal } = step ?? {}
  return {
    idempotencyKey: `${flowId}:${seq}.${stepsDone + stepsRun}`,
    attempt: stepsRun === 0 ? attempt : 1,
    signal: stepSignal ?? signal?.() ?? never(),
  }
}

const never = () => new AbortController().signal
