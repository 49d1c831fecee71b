import { formParameter } from './form-parameter'
import { stepFormOf } from './step-form'
import { type ResolveInputOptions, useAtscriptWf } from './use-atscript-wf'
import type { WfForm } from './form-type'

/** Options of {@link WfInput}. */
export interface WfInputOptions extends ResolveInputOptions {
  /**
   * The form.
   * @default the type of the parameter
   */
  readonly form?: WfForm | undefined
}

/**
 * Injects what was typed into the form that is the parameter's type. The step runs only when it is
 * valid; until then the form is asked for, or with `ask: false` the step itself asks, by mail for example.
 *
 * A type that is no form, or could not be checked in time, stops the start of the application:
 * `WF_CONFIG`.
 *
 * @example
 * ```ts
 * import { Step, WfInput, WorkflowParam, type WfForm } from '@atscript/moost-wf'
 *
 * declare const NameForm: WfForm & (new () => { name: string })
 *
 * class Profile {
 *   @Step('name')
 *   name(
 *     @WfInput({ form: NameForm }) input: { name: string },
 *     @WorkflowParam('context') ctx: { name?: string },
 *   ) {
 *     ctx.name = input.name
 *   }
 * }
 * ```
 */
export const WfInput = (options: WfInputOptions = {}): ParameterDecorator =>
  formParameter({
    decorator: '@WfInput()',
    label: 'input',
    formOf: type => options.form ?? type,
    resolve: form => useAtscriptWf(form).resolveInput(options),
    declare: form => stepFormOf(form, options),
    isOptional: options.pass || options.ask === false,
  })
