import { Resolve } from 'moost'
import type { WfForm } from './form-type'
import { useAtscriptWf } from './use-atscript-wf'

/**
 * Injects the action that the client has named: one of the form's, or `undefined`. Any other is
 * refused before the step runs.
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
  Resolve(() => useAtscriptWf(form).resolveAction(), 'action')
