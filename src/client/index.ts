export {
  describeForm,
  type WfActionView,
  type WfAnnotations,
  type WfFieldView,
  type WfFormSchema,
  type WfFormView,
  type WfOptionView,
  type WfTypeSchema,
  withoutSecrets,
} from '../form-view'
export type { WfClientOptions, WfRemember } from './client-options'
export type {
  WfClient,
  WfClientAction,
  WfClientData,
  WfClientInput,
  WfClientState,
  WfClientTypes,
} from './client-types'
export { createWfClient } from './create-wf-client'
export type { WfFetch } from './exchange'
export type { WfTokenStorage } from './kept-text'
export type {
  WfActionRequest,
  WfButton,
  WfClientError,
  WfMessage,
  WfNext,
  WfPendingResume,
  WfResponse,
} from './wire'
export { watchWf } from './watch-wf'
export type { WfWatched, WfWatchOptions, WfWatchState } from './watch-types'
