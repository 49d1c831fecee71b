export { defineOutletConfig } from './define-outlet-config'
export type { WfRunOutput, WfTriggerDeps, WfTriggerRunOptions } from './deps'
export { handleAsOutletRequest, handleWfOutletRequest } from './handle-outlet-request'
export type {
  WfFinish,
  WfMove,
  WfOutletConfig,
  WfRejection,
  WfTokenCookieOptions,
  WfTokenOptions,
  WfTokenSource,
} from './outlet-config'
export { isLocalPath } from './local-path'
export type { WfStartLimit } from './start-limit'
export { findTriggerScope } from './trigger-scope'
export type { WfConfirmInfo, WfPageTheme } from './page/confirm-page'
export { useWfAction } from './use-wf-action'
export { useWfAttempts, type WfAttempt, type WfAttemptsOptions } from './use-wf-attempts'
export { useWfFinished, type WfFinishedResponse } from './use-wf-finished'
export { useWfOutlet } from './use-wf-outlet'
export { swapStrategy, useWfStrategy } from './use-wf-strategy'
export { WfAbort } from './wf-abort'
export { isWfFinished, type WfFinished } from './wf-finished'
