import type { WfFieldView, WfOptionView } from '../../form-view'
import { type Html, markup } from '../links/html'
import type { WfPageTexts } from '../links/page-texts'
import type { FormTexts } from './form-texts'

/** What all fields of a page have in common. */
export interface FieldPlace {
  readonly texts: FormTexts
  readonly errors: Readonly<Record<string, string>>
  readonly says: WfPageTexts
  /** Before the names under which fields are posted. */
  readonly prefix: string
}

/** A field on its page. Ids are made of numbers: names may hold anything. */
interface PlacedField extends FieldPlace {
  readonly field: WfFieldView
  readonly path: string
  readonly id: string
}

/** Types of inputs that hold a text and need no script. Any other becomes a plain one. */
const INPUT_TYPES = /^(?:text|email|password|tel|url|search|date|time|datetime-local|month|week)$/u
const YES = new Set(['true', 'on', '1', 'yes'])
const MOST_RADIOS = 6
const FREE_ROWS = 2
const MOST_ROWS = 20

/** A field with its label, its hint and what is wrong with it. */
export function renderField(placed: PlacedField): Html {
  const { field } = placed
  switch (field.kind) {
    case 'group':
      return renderGroup(placed)
    case 'list':
      return field.item?.kind === 'choice' ? renderBoxes(placed) : renderRows(placed)
    case 'flag':
      return renderBox(placed)
    case 'choice':
      return isShort(field) ? renderRadios(placed) : renderSelect(placed)
    default:
      return labelled(placed, renderInput(placed, placed.id, textOf(placed)))
  }
}

/** The id of what a link to a field leads to: the first thing in it that can be filled in. */
export function targetOf(field: WfFieldView, id: string): string {
  const first = field.fields?.[0]
  if (first) return targetOf(first, `${id}-0`)
  const isSeveral = field.kind === 'list' || (field.kind === 'choice' && isShort(field))
  return isSeveral ? `${id}-0` : id
}

function isShort({ type, options = [] }: WfFieldView): boolean {
  return type === 'radio' || (type !== 'select' && options.length <= MOST_RADIOS)
}

function renderGroup(placed: PlacedField): Html {
  const { field, id, path } = placed
  const inner = (field.fields ?? []).map((each, at) =>
    renderField({ ...placed, field: each, path: `${path}.${each.name}`, id: `${id}-${at}` }),
  )
  return fieldset(placed, inner, 'group')
}

function renderInput(placed: PlacedField, id: string, text: string): Html {
  const { field } = placed
  const { type, placeholder, autocomplete, maxLength } = field
  const about = attributes(placed, id)
  if (type === 'textarea') {
    // Browsers leave out the first line end behind the tag.
    return markup`<textarea${about} rows="5">${'\n'}${text}</textarea>`
  }
  const inputType = field.kind === 'number' && !type.startsWith('date') ? 'text' : type
  const shown = INPUT_TYPES.test(inputType) ? inputType : 'text'
  const keyboard = field.inputMode ?? (field.kind === 'number' ? 'decimal' : undefined)
  return markup`<input
    type="${shown}"
    ${about}
    value="${text}"
    ${attribute('placeholder', placeholder)}${attribute('autocomplete', autocomplete)}${attribute('inputmode', keyboard)}${attribute('maxlength', field.kind === 'text' ? maxLength : undefined)}
 >`
}

function renderBox(placed: PlacedField): Html {
  const { field, id, path, prefix } = placed
  const isTicked = YES.has(textOf(placed))
  // Who is not asked says nothing; who is asked and does not tick it says no.
  const no = !field.required && markup`<input type="hidden" name="${prefix}${path}" value="false">`
  const isWrong = Object.hasOwn(placed.errors, path)
  return markup`<div class="field${isWrong && ' has-wrong'}">
    ${no}
    <div class="pick">
      <input
        type="checkbox"
        ${attributes(placed, id)}
        value="true"
        ${isTicked && markup` checked`}
      ><label for="${id}">${field.label}</label>
    </div>
    ${notes(placed)}
  </div>`
}

function renderRadios(placed: PlacedField): Html {
  const { field, says } = placed
  const chosen = textOf(placed)
  const none = field.required ? [] : [{ value: '', label: says.none }]
  const options = [...(field.options ?? []), ...none]
  return fieldset(
    placed,
    options.map((option, at) => renderPick(placed, 'radio', option, at, [chosen])),
  )
}

function renderBoxes(placed: PlacedField): Html {
  const { field, path, prefix, texts } = placed
  const nothing = !field.required && markup`<input type="hidden" name="${prefix}${path}" value="">`
  const chosen = texts.get(path) ?? []
  const options = field.item?.options ?? []
  return fieldset(placed, [
    nothing,
    ...options.map((option, at) => renderPick(placed, 'checkbox', option, at, chosen)),
  ])
}

function renderPick(
  placed: PlacedField,
  type: 'radio' | 'checkbox',
  { value, label }: WfOptionView,
  at: number,
  chosen: readonly string[],
): Html {
  const id = `${placed.id}-${at}`
  const isChosen = chosen.includes(String(value))
  return markup`<div class="pick">
    <input
      type="${type}"
      id="${id}"
      name="${placed.prefix}${placed.path}"
      value="${String(value)}"
      ${isChosen && markup` checked`}
    ><label for="${id}">${label}</label>
  </div>`
}

function renderSelect(placed: PlacedField): Html {
  const { field, says } = placed
  const chosen = textOf(placed)
  const options = (field.options ?? []).map(({ value, label }) => {
    const isChosen = String(value) === chosen
    return markup`<option value="${String(value)}" ${isChosen && markup` selected`}>${label}</option>`
  })
  const none = field.required ? says.choose : says.none
  return labelled(
    placed,
    markup`<select${attributes(placed, placed.id)}><option value="">${none}</option>${options}</select>`,
  )
}

/** A list of texts: as many rows as there are, and some more. */
function renderRows(placed: PlacedField): Html {
  const { field, id, path, texts } = placed
  const item = field.item ?? field
  const isSecret = field.secret || item.secret
  const given = isSecret ? [] : (texts.get(path) ?? []).filter(text => text !== '')
  const rows = Math.min(given.length + FREE_ROWS, Math.max(field.maxLength ?? MOST_ROWS, 1))
  const inputs = Array.from({ length: Math.max(rows, given.length) }, (_, at) => {
    const row = { ...placed, field: { ...item, label: field.label } }
    return renderInput(row, `${id}-${at}`, given[at] ?? '')
  })
  return fieldset(placed, inputs)
}

function labelled(placed: PlacedField, control: Html): Html {
  const isWrong = Object.hasOwn(placed.errors, placed.path)
  return markup`<div class="field${isWrong && ' has-wrong'}">
    <label for="${placed.id}">${placed.field.label}${optionalNote(placed)}</label>${notes(placed)}${control}
  </div>`
}

function fieldset(
  placed: PlacedField,
  inner: readonly (Html | false | undefined)[],
  look = '',
): Html {
  const { field, errors } = placed
  const isWrong = field.kind !== 'group' && sentenceAt(placed, errors) !== undefined
  return markup`<fieldset class="${look}${isWrong && ' has-wrong'}" ${describedBy(placed)}>
    <legend>${field.label}${optionalNote(placed)}</legend>
    ${notes(placed)}${inner}
  </fieldset>`
}

function optionalNote({ field, says }: PlacedField): Html | false {
  return !field.required && markup` <span class="optional">${says.optional}</span>`
}

/** The hint, and what is wrong. */
function notes(placed: PlacedField): (Html | false)[] {
  const { field, id, errors } = placed
  const sentence = sentenceAt(placed, errors)
  return [
    field.hint !== undefined && markup`<p class="hint" id="${id}-hint">${field.hint}</p>`,
    sentence !== undefined && markup`<p class="wrong" id="${id}-wrong">${sentence}</p>`,
  ]
}

/** What is wrong with a field; with a list, what is wrong with the first entry that is not right. */
function sentenceAt(
  { field, path }: PlacedField,
  errors: FieldPlace['errors'],
): string | undefined {
  if (Object.hasOwn(errors, path)) return errors[path]
  if (field.kind !== 'list') return undefined
  return Object.entries(errors).find(([each]) => each.startsWith(`${path}.`))?.[1]
}

function attributes(placed: PlacedField, id: string): Html {
  const { field, path, prefix, errors } = placed
  // The row of a list has a label of its list only.
  const name = id === placed.id ? '' : attribute('aria-label', field.label)
  const isWrong = Object.hasOwn(errors, path)
  return markup` id="${id}" name="${prefix}${path}"${name}${field.required && markup` required`}${isWrong && markup` aria-invalid="true"`}${describedBy(placed)}`
}

function describedBy(placed: PlacedField): Html | string {
  const { field, id, errors } = placed
  const ids = [
    field.hint !== undefined && `${id}-hint`,
    sentenceAt(placed, errors) !== undefined && `${id}-wrong`,
  ].filter(Boolean)
  return attribute('aria-describedby', ids.length > 0 ? ids.join(' ') : undefined)
}

function attribute(name: string, value: string | number | undefined): Html | string {
  if (value === undefined) return ''
  // The names are ours.
  return markup` ${name}="${value}"`
}

/** What stands in a field. What is secret is typed anew. */
function textOf({ field, path, texts }: PlacedField): string {
  if (field.secret || field.type === 'password') return ''
  return texts.get(path)?.at(-1) ?? ''
}
