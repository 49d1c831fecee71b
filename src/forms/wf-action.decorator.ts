import { formParameter } from './form-parameter'
import type { WfForm } from './form-type'
import { useAtscriptWf } from './use-atscript-wf'

/**
 * Injects the action that the client has named: one of the form's, or `undefined`. Any other is
 * refused before the step runs.
 *
 * A form that could not be checked in time stops the start of the application: `WF_CONFIG`.
 *
 * @example
 * ```ts
 * import { Step, useAtscriptWf, WfAction, WfInput, type WfForm } from '@atscript/moost-wf'
 *
 * declare const CodeForm: WfForm & (new () => { code: string })
 *
 * class Login {
 *   @Step('code')
 *   code(
 *     @WfAction(CodeForm) action?: string,
 *     @WfInput({ form: CodeForm, pass: true }) input?: { code: string },
 *   ) {
 *     if (action === 'resend') useAtscriptWf(CodeForm).requireInput({ formMessage: 'Sent again.' })
 *     console.log(input?.code.length)
 *   }
 * }
 * ```
 */
export const WfAction = (form: WfForm): ParameterDecorator =>
  formParameter({
    decorator: '@WfAction()',
    label: 'action',
    formOf: () => form,
    resolve: () => useAtscriptWf(form).resolveAction(),
  })
