import { Resolve, type TPipeMetas } from 'moost'
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
 * valid; until then the form is asked for.
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
  Resolve(metas => useAtscriptWf(formOf(options, metas)).resolveInput(options), 'input')

// A type that is no form is refused with a sentence by the composable.
function formOf({ form }: WfInputOptions, { targetMeta }: TPipeMetas): WfForm {
  return form ?? (targetMeta?.type as unknown as WfForm)
}
