export { secureAnswer, setStatus } from './answer/answer-headers'
export { statusOf } from './answer/status-of'
export { createOutletHandler } from './create-outlet-handler'
export { defineOutletConfig } from './define-outlet-config'
export { handleAsOutletRequest, handleWfOutletRequest } from './handle-outlet-request'
export type { WfConfirmInfo } from './links/confirm-page'
export type { WfPageTheme } from './links/page'
export type { WfPageTexts } from './links/page-texts'
export type {
  WfOutletConfig,
  WfRejection,
  WfTokenCookieOptions,
  WfTokenOptions,
  WfTokenSource,
} from './outlet-config'
export { checkOrigin } from './read/check-origin'
export { readBody } from './read/read-body'
export type { WfWatchEvents } from './watch/watch-events'
export {
  handleRunRequest,
  type WfRunExecutor,
  type WfRunRequestOptions,
} from './queue/handle-run-request'
export { handleWebhookRequest } from './webhook/handle-webhook-request'
export type { WfWebhookOptions } from './webhook/webhook-door'
