export { createEmailOutlet, type WfEmail } from './email-outlet'
export { createAsHttpOutlet, createHttpOutlet, type HttpOutletOptions } from './http-outlet'
export { handOn, HandOnRequest, type WfHandedOnPause, type WfHandOnOptions } from './hand-on'
export { outlet, outletEmail, outletHttp, type WfOutletPause } from './outlet'
export {
  outletEach,
  type WfEachOptions,
  type WfPanelPause,
  type WfPanelRequest,
  type WfPerson,
  type WfPersonCode,
} from './outlet-each'
export { waitFor, WfAwaitedSignal, type WfSignalPause, type WfWaitOptions } from './wait-for'
export type {
  WfDeliveryDetails,
  WfLinkPolicy,
  WfOutlet,
  WfOutletRequest,
  WfOutletResult,
} from './wf-outlet'
export type { WebhookLookup } from './webhook/post-webhook'
export {
  createWebhookOutlet,
  type WebhookOutletOptions,
  type WfWebhookMessage,
} from './webhook/webhook-outlet'
export type { WfWebhookSecret } from './webhook/webhook-signature'
export {
  createWebhookVerifier,
  type WfReceivedWebhook,
  type WfWebhookFreshness,
  type WfWebhookVerifier,
} from './webhook/webhook-verifier'
