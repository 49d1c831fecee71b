// An endpoint, and what its configuration is made of.
export {
  createOutletHandler,
  defineOutletConfig,
  handleAsOutletRequest,
  handleWebhookRequest,
  handleWfOutletRequest,
  type WfConfirmInfo,
  type WfOutletConfig,
  type WfPageTexts,
  type WfPageTheme,
  type WfRejection,
  type WfTokenCookieOptions,
  type WfTokenOptions,
  type WfTokenSource,
  type WfWatchEvents,
  type WfWebhookOptions,
} from './index'
