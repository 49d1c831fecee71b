import type { WfStepForm } from './wf-step-form'

/** What a parameter's decorator leaves for the adapter to call when the application starts. */
export interface StartUpCheck {
  /**
   * Gets the type of the parameter, and throws a `WfError` `WF_CONFIG` if it can never work.
   *
   * @returns the form that the parameter declares, if it does
   */
  wfStartUpCheck?: (type: unknown) => WfStepForm | void
}
