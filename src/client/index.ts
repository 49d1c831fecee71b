export type { WfClientOptions } from './client-options'
export type {
  WfClient,
  WfClientAction,
  WfClientData,
  WfClientInput,
  WfClientState,
  WfClientTypes,
} from './client-types'
export { createWfClient } from './create-wf-client'
export { describeForm } from './describe-form'
export type { WfFetch } from './exchange'
export type { WfActionView, WfFieldView, WfFormView, WfOptionView } from './form-view'
export type { WfTokenStorage } from './kept-token'
export type {
  WfActionRequest,
  WfAnnotations,
  WfButton,
  WfClientError,
  WfFormSchema,
  WfMessage,
  WfNext,
  WfPendingResume,
  WfResponse,
  WfTypeSchema,
} from './wire'
