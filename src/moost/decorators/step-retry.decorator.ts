import { resolveRetryPolicy, type WfRetryOptions } from '../../state'
import { getWfMate } from '../wf-metadata'

/**
 * How this step is tried again when it has failed: by itself, where its strategy keeps runs
 * (`DurableStateStrategy`). A step that asks again, by `StepRetriableError`, has not failed, nor has one
 * that refuses what was sent, by an `HttpError` 4xx. `timeoutMs` counts on every strategy.
 *
 * @throws WfError `WF_CONFIG` for wrong options
 *
 * @example
 * ```ts
 * import { Step, StepRetry, useWfStep } from '@atscript/moost-wf'
 *
 * class Payment {
 *   @Step('charge')
 *   @StepRetry({ attempts: 5, baseMs: 2000, timeoutMs: 30_000 })
 *   async charge() {
 *     const { idempotencyKey, signal } = useWfStep()
 *     const headers = { 'idempotency-key': idempotencyKey }
 *     await fetch('https://pay.example.com/charges', { method: 'POST', headers, signal })
 *   }
 * }
 * ```
 */
export const StepRetry = (options: WfRetryOptions = {}): MethodDecorator =>
  getWfMate().decorate('wfStepRetry', resolveRetryPolicy(options, '@StepRetry'))
