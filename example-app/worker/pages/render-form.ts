import { describeForm, type WfClientState, type WfFieldView } from '@atscript/moost-wf/client'
import { button, element, heading } from './element'
import { renderField } from './render-field'

/** What can be done with a form. */
export interface FormDeeds {
  submit(data: Readonly<Record<string, unknown>>): void
  act(id: string, data: Readonly<Record<string, unknown>>): void
}

/** A form as the server describes it. */
export function renderForm(state: WfClientState, deeds: FormDeeds) {
  const { title = '', description, fields, submitText, actions } = describeForm(state.form!)
  const data = state.data as Readonly<Record<string, unknown>>
  const wrong = Object.keys(state.errors).length
  const complaint =
    state.error?.message ?? state.formMessage ?? (wrong > 0 ? 'Please check the form.' : undefined)
  const form = element(
    'form',
    { class: 'form', novalidate: true, 'aria-label': title },
    ...fields.map(field => renderField(field, data[field.name], state.errors[field.name])),
  )
  const typed = () => dataOf(form, fields)
  const submit = element('button', { class: 'button button-primary' }, submitText)
  const others = actions.map(({ id, label, withData }) =>
    button(label, () => deeds.act(id, withData ? typed() : {}), 'secondary'),
  )
  form.append(element('div', { class: 'form-buttons' }, submit, ...others))
  form.addEventListener('submit', event => {
    event.preventDefault()
    deeds.submit(typed())
  })
  return {
    title,
    content: [
      heading(title),
      ...(description ? [element('p', { class: 'muted' }, description)] : []),
      ...told(state.context as Readonly<Record<string, unknown>>),
      ...(complaint
        ? [element('p', { class: 'notice notice-error', role: 'alert', tabindex: '-1' }, complaint)]
        : []),
      form,
    ],
  }
}

/** What the workflow tells beside the form. */
function told(context: Readonly<Record<string, unknown>>): HTMLElement[] {
  const entries = Object.entries(context).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? Object.entries(value) : [[key, value]],
  )
  const pairs = entries.flatMap(([key, value]) =>
    ['string', 'number'].includes(typeof value)
      ? [element('dt', {}, inWords(String(key))), element('dd', {}, String(value))]
      : [],
  )
  return pairs.length > 0 ? [element('dl', { class: 'told' }, ...pairs)] : []
}

const inWords = (key: string): string => {
  const words = key.replaceAll(/([A-Z])/gu, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What was typed. Of what was left empty nothing is sent, so that the server says what is missing. */
function dataOf(form: HTMLFormElement, fields: readonly WfFieldView[]): Record<string, unknown> {
  const texts = new FormData(form)
  const data: Record<string, unknown> = {}
  for (const { name, kind } of fields) {
    const text = texts.get(name)
    if (typeof text !== 'string' || text === '') continue
    const number = Number(text.replace(',', '.'))
    data[name] = kind === 'number' && !Number.isNaN(number) ? number : text
  }
  return data
}
