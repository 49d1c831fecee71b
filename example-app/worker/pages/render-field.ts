import type { WfFieldView } from '@atscript/moost-wf/client'
import { element } from './element'

/** A field with its label, its hint and what is wrong with it, tied together for whoever listens. */
export function renderField(field: WfFieldView, value: unknown, error?: string): HTMLElement {
  const id = `field-${field.name}`
  const notes = {
    hint: field.hint && element('p', { id: `${id}-hint`, class: 'field-hint' }, field.hint),
    error: error && element('p', { id: `${id}-error`, class: 'field-error' }, error),
  }
  const describedBy = [notes.hint, notes.error].flatMap(note => (note ? [note.id] : [])).join(' ')
  const said = {
    'aria-required': String(field.required),
    'aria-invalid': error ? 'true' : undefined,
    'aria-describedby': describedBy || undefined,
  }
  const labelClass = field.required ? 'field-label required' : 'field-label'
  if (field.kind === 'choice') {
    const legend = element('legend', { class: labelClass }, field.label)
    const options = (field.options ?? []).map(option => {
      const input = element('input', {
        type: 'radio',
        name: field.name,
        value: String(option.value),
        checked: option.value === value,
      })
      return element('label', { class: 'option' }, input, element('span', {}, option.label))
    })
    const rows = element('div', { class: 'options' }, ...options)
    return element(
      'fieldset',
      { class: 'field', role: 'radiogroup', ...said },
      legend,
      rows,
      notes.hint,
      notes.error,
    )
  }
  const label = element('label', { class: labelClass, for: id }, field.label)
  return element(
    'div',
    { class: 'field' },
    label,
    control(field, id, value, said),
    notes.hint,
    notes.error,
  )
}

function control(
  field: WfFieldView,
  id: string,
  value: unknown,
  said: Readonly<Record<string, string | undefined>>,
): HTMLInputElement | HTMLTextAreaElement {
  const shared = {
    id,
    name: field.name,
    class: 'control',
    autocomplete: field.autocomplete,
    ...said,
  }
  const made =
    field.type === 'textarea'
      ? element('textarea', { ...shared, rows: '4' })
      : element('input', {
          ...shared,
          // A number is typed as text: browsers say nothing about what is none.
          type: field.kind === 'number' ? 'text' : field.type,
          inputmode: field.kind === 'number' ? 'decimal' : field.inputMode,
        })
  if (value !== undefined && !field.secret) made.value = String(value)
  return made
}
