import {
  isAnnotatedType,
  type TAtscriptAnnotatedType,
  type TAtscriptDataType,
  type TAtscriptTypeObject,
} from '@atscript/typescript/utils'
import { WfError } from '../errors'

/** A form: an interface of an `.as` file. */
export type WfForm = TAtscriptAnnotatedType

/** What a form holds when it is filled in. */
export type WfFormData<F extends WfForm> = TAtscriptDataType<F>

/** What a form holds while it is being filled in: anything may be missing, at any depth. */
export type WfPartialData<D> = D extends readonly (infer Item)[]
  ? WfPartialData<Item>[]
  : D extends object
    ? { [K in keyof D]?: WfPartialData<D[K]> }
    : D

/** A form whose fields can be looked at. */
export type ObjectForm = TAtscriptAnnotatedType<TAtscriptTypeObject>

/**
 * @throws WfError `WF_CONFIG` unless `form` is an interface of an `.as` file
 */
export function assertForm(form: unknown, caller: string): asserts form is ObjectForm {
  if (isAnnotatedType(form) && form.type.kind === 'object') return
  throw new WfError(
    'WF_CONFIG',
    `${caller} takes a form: an interface of an .as file, imported without \`type\`. Where the compiler ` +
      'does not pass on the type of a parameter, as for "Form | undefined", say @WfInput({ form: Form }).',
  )
}
