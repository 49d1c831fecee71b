export { Admission, fits } from './admission'
export { AnswerGate } from './answer-gate'
export type { BrowserMark } from './browser-mark'
export { assertCleanKeys } from './clean-keys'
export {
  createWfRunner,
  type WfResumeOptions,
  type WfRunner,
  type WfRunnerConfig,
  type WfStartOptions,
} from './create-wf-runner'
export { deliverMessage, whyNotDeliverable } from './deliver-message'
export { delay, delayedTo, isDelay, type WfDelay, type WfDelayOptions } from './delay'
export type { WfRunOutput, WfTriggerDeps, WfTriggerRunOptions } from './deps'
export type { StartKey } from './start-key'
export { describeStart } from './describe-start'
export { enterCode } from './enter-code'
export { executeRun, type RunPlace, type SettledRun } from './execute-run'
export { type EncodedFields, isFormEncoded, noteFormEncoded } from './form-encoded'
export { codeSpellings } from './link-code'
export { FormRefused } from './first-form'
export { keepFresh, sendFresh } from './fresh-link'
export type { WfFreshLinks } from './fresh-options'
export { limitStep } from './limit-step'
export { isLocalPath } from './local-path'
export type { OpenRun } from './open-run'
export { peekRun } from './peek-run'
export { readToken, type RequestToken } from './request-token'
export { redactTokens } from './redact-tokens'
export {
  isGone,
  Rejection,
  type RejectionCode,
  type RejectionDetails,
  rejectionOf,
} from './rejection'
export { resolveRunConfig } from './resolve-run-config'
export type { RunConfig, WfRunConfig } from './run-config'
export type { WfFinish, WfMove } from './run-events'
export type { FinishedRun, PausedRun, RunOutcome, SentRun } from './run-outcome'
export type { EnteredCode, RunRequest } from './run-request'
export { assertOnConflict, assertRunKey, isRunKey } from './run-key'
export { findRunScope, type RunHooks, takeRunHooks } from './run-scope'
export { openInput, readThrough, sealInput, unstorable } from './sealed-input'
export { type Answered, type AnswerKeeper, runOnce } from './safe-retry'
export type { WfStartLimit } from './start-limit'
export type { RunTerm } from './run-term'
export { sendCode } from './send-code'
export { settleUnasked, type TakenUp, takeUpRun, type TakeUpRequest } from './take-up-run'
export { refusedStatusOf, statusOfThrown } from './thrown-status'
export { useWfAction } from './use-wf-action'
export { useWfAnswers, type WfAnswer, type WfAnswers } from './use-wf-answers'
export { useWfAttempts, type WfAttempt, type WfAttemptsOptions } from './use-wf-attempts'
export { useWfFacts } from './use-wf-facts'
export { useWfFinished, type WfFinishedResponse } from './use-wf-finished'
export { useWfOutlet } from './use-wf-outlet'
export { useWfStep, type WfStepInfo } from './use-wf-step'
export { swapStrategy, useWfStrategy } from './use-wf-strategy'
export { useWfTransaction } from './use-wf-transaction'
export { WfAbort } from './wf-abort'
export type {
  WfAwaitingResult,
  WfDelayedResult,
  WfFinishedResult,
  WfJoinedResult,
  WfPausedResult,
  WfPeekResult,
  WfRefusedResult,
  WfRetryingResult,
  WfRunResult,
  WfNotedResult,
  WfSentResult,
  WfWatchResult,
} from './wf-run-result'
export {
  isWfFinished,
  type WfActionRequest,
  type WfButton,
  type WfFinished,
  type WfMessage,
  type WfNext,
} from './wf-finished'
export { watchPause, type WatchedState } from './watch'
export { WhoAsks } from './who-asks'
export { orWrongCode } from './wrong-code'
export { unwrapped, wrappingOf } from './wrapped-input'
