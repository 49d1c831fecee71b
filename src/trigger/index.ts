export { defineOutletConfig } from './define-outlet-config'
export type { WfRunOutput, WfTriggerDeps, WfTriggerRunOptions } from '../run/deps'
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
export { isLocalPath } from '../run/local-path'
export type { WfStartLimit } from '../run/start-limit'
export { findTriggerScope } from '../run/run-scope'
export type { WfConfirmInfo, WfPageTheme } from './links/confirm-page'
export { useWfAction } from '../run/use-wf-action'
export { useWfAttempts, type WfAttempt, type WfAttemptsOptions } from '../run/use-wf-attempts'
export { useWfFinished, type WfFinishedResponse } from '../run/use-wf-finished'
export { useWfOutlet } from '../run/use-wf-outlet'
export { swapStrategy, useWfStrategy } from '../run/use-wf-strategy'
export { WfAbort } from '../run/wf-abort'
export { isWfFinished, type WfFinished } from '../run/wf-finished'
