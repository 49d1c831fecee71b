import { StepRetriableError } from '@prostojs/wf'
import { current, useLogger } from '@wooksjs/event-core'
import { wfKind } from '@wooksjs/event-wf'
import { outletHttp } from '../outlets'
import { normalizeId } from '../state'
import { extractPassContext } from './extract-pass-context'
import { checkForm } from './check-form'
import { sentencesOf } from './form-sentences'
import { submitTo } from './form-submit'
import type { WfForm, WfFormData, WfPartialData } from './form-type'
import { serializeFormSchema } from './serialize-form-schema'
import { validateInput, type WfFieldErrors } from './validate-input'

/** What a form is shown with when it is asked for again. */
export interface RequireInputOptions {
  /** Sentences by the path of their field: `address.street`; `__form` is the form as a whole. */
  readonly errors?: WfFieldErrors | undefined
  /** A sentence about the form as a whole. The client gets it as `errors.__form` too. */
  readonly formMessage?: string | undefined
}

/** How what was sent is taken. */
export interface ResolveInputOptions {
  /**
   * Whether fields may be missing, at any depth.
   * @default true for an action with data, else false
   */
  readonly partial?: boolean | undefined
  /**
   * Whether the step takes actions that come without data. It gets `undefined` then.
   * @default false; the form is asked for again
   */
  readonly pass?: boolean | undefined
  /**
   * Whether the caller is asked for the form if nothing was sent. If not, the step gets `undefined` and
   * asks in its own way: `outletEmail(…, { form })`.
   * @default true
   */
  readonly ask?: boolean | undefined
}

/** What {@link AtscriptWf.resolveInput} gives. */
export type ResolvedInput<D, O extends ResolveInputOptions> =
  | (O extends { readonly partial: true } ? WfPartialData<D> : D)
  | (O extends { readonly pass: true } | { readonly ask: false } ? undefined : never)

/** A form in the step that asks for it. */
export interface AtscriptWf<D> {
  /**
   * What was typed, checked, and stripped of what the form does not know. The form is asked for if
   * nothing was sent, and again, with a sentence per field, if something is wrong.
   *
   * @throws StepRetriableError which pauses the workflow
   */
  resolveInput<const O extends ResolveInputOptions = {}>(options?: O): ResolvedInput<D, O>
  /** The action that the client has named: one of the form's, or none. */
  resolveAction(): string | undefined
  /**
   * Asks for the form, again, and says why.
   *
   * @throws StepRetriableError which pauses the workflow
   */
  requireInput(options?: RequireInputOptions): never
}

/**
 * A form in a step: asks for it, checks what was sent, and asks again. What was typed is handed to the
 * step and kept nowhere: neither in the context nor in an answer.
 *
 * @throws WfError `WF_CONFIG` unless it is an interface of an `.as` file
 * @throws StepRetriableError which pauses the workflow, for an action that the form does not have, or
 * that takes no data and got some
 *
 * @example
 * ```ts
 * import { Step, useAtscriptWf, type WfForm } from '@atscript/moost-wf'
 *
 * declare const CodeForm: WfForm & (new () => { code: string })
 *
 * class Login {
 *   @Step('code')
 *   code() {
 *     const { resolveInput, requireInput } = useAtscriptWf(CodeForm)
 *     const { code } = resolveInput()
 *     if (code !== '123456') requireInput({ errors: { code: 'That is not the code.' } })
 *   }
 * }
 * ```
 */
export function useAtscriptWf<F extends WfForm>(form: F): AtscriptWf<WfFormData<F>> {
  checkForm(form, 'useAtscriptWf()')
  const event = current()
  const { input, action, problem } = submitTo(form)

  const requireInput = (options: RequireInputOptions = {}): never => {
    const { inputRequired } = outletHttp(serializeFormSchema(form), {
      ...extractPassContext(form, event.get(wfKind.keys.inputContext)),
      ...sentencesOf(options),
    })
    const cause = new Error('The step asks for input.')
    throw new StepRetriableError(cause, options.errors, inputRequired)
  }

  // A page from before a deploy may have buttons that the form has no more: it is shown the present one.
  if (problem !== undefined) requireInput({ formMessage: problem })

  return {
    resolveInput: ({ partial, pass, ask = true }: ResolveInputOptions = {}) => {
      const bare = action && !action.withData
      const isNothing = input === undefined && action === undefined
      if ((bare && pass) || (isNothing && !ask)) return undefined as never
      if (bare) warnOfAction(action.id)
      if (bare || input === undefined) return requireInput()
      const result = validateInput(form, input, partial ?? action !== undefined)
      return 'data' in result ? (result.data as never) : requireInput(result)
    },
    resolveAction: () => action?.id,
    requireInput,
  }
}

function warnOfAction(id: string): void {
  const stepId = normalizeId(current().get(wfKind.keys.stepId) ?? '')
  useLogger().warn(
    `Step "${stepId}" got the action "${id}" and asks for its form again. To take it, say @WfInput({ pass: true }).`,
  )
}
