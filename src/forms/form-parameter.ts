import { getMoostMate, Optional, Resolve, type TEmpty } from 'moost'
import type { StartUpCheck } from '../state'
import { checkForm } from './check-form'
import type { WfForm } from './form-type'

interface FormParameter {
  /** The decorator, and the name of what it injects. */
  readonly decorator: string
  readonly label: string
  /** The form, which may be the type of the parameter. */
  formOf(type: unknown): unknown
  resolve(form: WfForm): unknown
  /** Whether there may be nothing to inject: a pipe that validates all parameters must know. */
  readonly isOptional?: boolean | undefined
}

/** Injects something of a form, which is checked when the application starts. */
export function formParameter(parameter: FormParameter): ParameterDecorator {
  const { decorator, label, formOf, resolve, isOptional } = parameter
  const mate = getMoostMate<TEmpty, TEmpty, StartUpCheck>()
  return mate.apply(
    // A type that is no form has stopped the start.
    Resolve(({ targetMeta }) => resolve(formOf(targetMeta?.type) as WfForm), label),
    mate.decorate('wfStartUpCheck', (type: unknown) => checkForm(formOf(type), decorator)),
    ...(isOptional ? [Optional()] : []),
  )
}
