import { type ComputedRef, computed, inject, type InjectionKey, provide } from 'vue'
import type { WfFieldView } from '@atscript/moost-wf/client'

/** What a field, however deep, asks of the form that it is in. */
export interface FormContext {
  readonly id: string
  readonly loading: boolean
  errorAt(path: string): string | undefined
  /** The entries of a list have moved: sentences about them would stand at the wrong ones. */
  forgetErrorsIn(path: string): void
}

const FORM: InjectionKey<FormContext> = Symbol('form')

export const provideForm = (context: FormContext): void => provide(FORM, context)

export function useForm(): FormContext {
  const form = inject(FORM)
  if (!form) throw new TypeError('A field must be inside of a WfForm.')
  return form
}

/** The ids that tie a control to its label, its hint and its error. */
export interface FieldParts {
  readonly id: string
  readonly hintId: string
  readonly errorId: string
  readonly error: string | undefined
  /** Whether it must be filled in, by someone who can. */
  readonly required: boolean
  readonly describedBy: string | undefined
}

export function useFieldParts(
  props: Readonly<{ field: WfFieldView; path: string }>,
): ComputedRef<FieldParts> {
  const form = useForm()
  return computed(() => {
    const id = `${form.id}-${props.path}`
    const [hintId, errorId] = [`${id}-hint`, `${id}-error`]
    const error = form.errorAt(props.path)
    const notes = [props.field.hint && hintId, error && errorId].filter(Boolean)
    const required = props.field.required && !props.field.disabled
    return { id, hintId, errorId, error, required, describedBy: notes.join(' ') || undefined }
  })
}
