import { describeForm, type WfFormView } from '@atscript/moost-wf/client'
import { reactive, shallowRef, type ShallowRef, watch } from 'vue'
import { dataOf } from './form-data'
import { type Draft, draftOf, draftOfField } from './form-draft'
import { hasComplaint } from './form-complaint'
import type { FormProps } from './form-props'

/** A form that is on the screen, with what was typed into it. */
export interface OpenForm {
  readonly view: WfFormView
  readonly draft: Draft
}

export interface FormDraft {
  readonly open: Readonly<ShallowRef<OpenForm>>
  /** What would be sent now. */
  data(): Record<string, unknown>
  /** To be called when the form is sent: without a complaint, what comes next is a new form. */
  sent(): void
}

/**
 * Keeps what is typed while the same form comes again, with errors or after an action, and starts
 * over when another one comes.
 */
export function useFormDraft(
  props: Readonly<FormProps>,
  changed: (data: Record<string, unknown>) => void,
): FormDraft {
  const open = shallowRef(openForm(props))
  const data = () => dataOf(open.value.view.fields, open.value.draft)
  let wasSent = false

  watch(
    () => props.form,
    (form, before) => {
      const isNext = wasSent && !hasComplaint(props)
      wasSent = false
      if (isNext || !isSame(form, before)) open.value = openForm(props)
    },
  )
  watch(
    () => props.data,
    (given, before) => {
      if (given && !isSame(given, before)) adopt(open.value, given, data())
    },
  )
  watch(
    () => open.value.draft,
    (draft, before) => {
      if (draft === before) changed(data())
    },
    { deep: true },
  )
  return { open, data, sent: () => void (wasSent = true) }
}

function openForm({ form, data }: Readonly<FormProps>): OpenForm {
  const view = describeForm(form)
  return { view, draft: reactive(draftOf(view.fields, data)) }
}

/** Whoever leaves a value out does not clear it. Secrets are only ever typed. */
function adopt({ view, draft }: OpenForm, given: Data, current: Data): void {
  const fields = new Map(view.fields.map(field => [field.name, field]))
  for (const [name, value] of Object.entries(given)) {
    const field = fields.get(name)
    if (field?.secret || isSame(value, current[name])) continue
    draft[name] = field ? draftOfField(field, value) : value
  }
}

type Data = Readonly<Record<string, unknown>>

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
