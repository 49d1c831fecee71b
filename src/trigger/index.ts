export { defineOutletConfig } from './define-outlet-config'
export type { WfRunOutput, WfTriggerDeps, WfTriggerRunOptions } from './deps'
export { handleAsOutletRequest, handleWfOutletRequest } from './handle-outlet-request'
export type {
  WfFinish,
  WfOutletConfig,
  WfRejection,
  WfTokenCookieOptions,
  WfTokenOptions,
  WfTokenSource,
} from './outlet-config'
export { useWfAction } from './use-wf-action'
export { useWfAttempts, type WfAttempt, type WfAttemptsOptions } from './use-wf-attempts'
export { useWfFinished, type WfFinishedResponse } from './use-wf-finished'
export { useWfOutlet } from './use-wf-outlet'
export { swapStrategy, useWfStrategy } from './use-wf-strategy'
