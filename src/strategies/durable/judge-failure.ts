import { NonRetryableError, WfError, type WfErrorCode } from '../../errors'
import { NoSuchStep, retryDelay, type WfRetryPolicy } from '../../state'
import type { RunJournal } from './run-journal'

/** A step that has failed. */
export interface StepFailure {
  readonly error: unknown
  readonly stepId: string | undefined
  readonly policy: WfRetryPolicy | undefined
  /** What the step was given is not there when it is tried again. */
  readonly isAnswerLost: boolean
}

/** What becomes of its run. */
export type FailureVerdict =
  | { readonly kind: 'retry'; readonly inMs: number }
  /** It has failed, until someone says that it is to be tried again. */
  | { readonly kind: 'failed' }
  /** It stands where it was, for whoever has a link. */
  | { readonly kind: 'stands' }

export interface JudgedFailure {
  readonly verdict: FailureVerdict
  readonly code: WfErrorCode
  /** The step that there is not. */
  readonly step: string | undefined
  readonly stepId: string | undefined
  /** How often the step was begun by now. */
  readonly attempts: number
  /** The run stands at the pause that was answered, whose link is alive. */
  readonly isAtPause: boolean
}

/** No attempt of any build will do better. */
const FOR_GOOD: readonly WfErrorCode[] = ['WF_NOT_RETRYABLE', 'WF_NO_SUCH_STEP']
/** The application has to be mended first. */
const IN_VAIN: readonly WfErrorCode[] = ['WF_CONFIG']
/** Whoever has answered may answer something else. */
const OF_ANSWER: readonly WfErrorCode[] = ['WF_DB_ROW', 'WF_STATE_INVALID', 'WF_STATE_TOO_LARGE']

/** Decides whether a step that has failed is tried again. */
export function judgeFailure(
  { held, standing: { isUntouched } }: RunJournal,
  { error, stepId, policy, isAnswerLost }: StepFailure,
): JudgedFailure {
  const attempts = (held?.run.attempts ?? 0) + 1
  // A machine does not answer again: its signal is kept, and somebody has to try.
  const isAwaited = held?.run.waitsFor !== undefined
  const isAtPause = isUntouched && held?.run.status === 'paused' && !isAwaited
  const code = error instanceof WfError ? error.code : 'WF_INTERNAL'
  const judge = (): FailureVerdict => {
    if (error instanceof NonRetryableError || FOR_GOOD.includes(code)) return { kind: 'failed' }
    const isToBeMended = isAtPause && OF_ANSWER.includes(code)
    // Whoever has a link can bring again what is not there.
    if (!policy || isToBeMended || (isUntouched && isAnswerLost)) return { kind: 'stands' }
    const isInVain = IN_VAIN.includes(code) || OF_ANSWER.includes(code)
    if (isInVain || attempts >= policy.attempts) return { kind: 'failed' }
    return { kind: 'retry', inMs: retryDelay(policy, attempts) }
  }
  const step = error instanceof NoSuchStep ? error.step || undefined : undefined
  return { verdict: judge(), code, step, stepId, attempts, isAtPause }
}
