export { abortWf, type AbortWfOptions } from './abort-wf'
export { extractPassContext } from './extract-pass-context'
export { finishWf, type FinishWfOptions, type FinishWfOpts } from './finish-wf'
export {
  getFormActions,
  listFormActions,
  type WfFormAction,
  type WfFormActions,
} from './form-actions'
export type { WfForm, WfFormData, WfPartialData } from './form-type'
export { serializeFormSchema } from './serialize-form-schema'
export {
  type AtscriptWf,
  type RequireInputOptions,
  type ResolvedInput,
  type ResolveInputOptions,
  useAtscriptWf,
} from './use-atscript-wf'
export type { WfFieldErrors } from './validate-input'
export { WfAction } from './wf-action.decorator'
export { WfInput, type WfInputOptions } from './wf-input.decorator'
