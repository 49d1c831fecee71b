import { getMoostMate, Optional, Resolve, type TEmpty } from 'moost'
import type { StartUpCheck, WfStepForm } from '../state'
import { checkForm } from './check-form'
import type { ObjectForm, WfForm } from './form-type'

interface FormParameter {
  /** The decorator, and the name of what it injects. */
  readonly decorator: string
  readonly label: string
  /** The form, which may be the type of the parameter. */
  formOf(type: unknown): unknown
  resolve(form: WfForm): unknown
  /** What the step declares by it, if it does. */
  declare?(form: ObjectForm): WfStepForm
  /** Whether there may be nothing to inject: a pipe that validates all parameters must know. */
  readonly isOptional?: boolean | undefined
}

/** Injects something of a form, which is checked when the application starts. */
export function formParameter(parameter: FormParameter): ParameterDecorator {
  const { decorator, label, formOf, resolve, declare, isOptional } = parameter
  const mate = getMoostMate<TEmpty, TEmpty, StartUpCheck>()
  return mate.apply(
    // A type that is no form has stopped the start.
    Resolve(({ targetMeta }) => resolve(formOf(targetMeta?.type) as WfForm), label),
    mate.decorate('wfStartUpCheck', (type: unknown) => {
      const form: unknown = formOf(type)
      checkForm(form, decorator)
      return declare?.(form)
    }),
    ...(isOptional ? [Optional()] : []),
  )
}
