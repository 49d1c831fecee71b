import {
  describeForm,
  initialData,
  inWords,
  openSchema,
  propsOf,
  type SchemaNode,
  type WfActionView,
  type WfFieldView,
  type WfFormSchema,
} from '../../form-view'
import { isRecord } from '../../state'
import { hiddenInputs } from '../links/confirm-page'
import { type Html, markup } from '../links/html'
import { type Page, page, type WfPageTheme } from '../links/page'
import { textsOf, type WfPageTexts } from '../links/page-texts'
import { FIELD_PREFIX } from '../read/read-request'
import { type FormTexts, plainText, textsOfData } from './form-texts'
import { canAsk, leftOutOf } from './left-out'
import { renderField, targetOf } from './render-field'

/** A form, and all that is shown with it. */
export interface FormPageContent {
  readonly form: WfFormSchema
  /** What the workflow tells: values of fields, and what else there is to know. */
  readonly context: Readonly<Record<string, unknown>>
  /** What was typed, if it is shown again. */
  readonly typed?: FormTexts | undefined
  readonly errors: Readonly<Record<string, string>>
  readonly formMessage?: string | undefined
  /** Whether the message is about something that is wrong. */
  readonly isProblem: boolean
  /** Posted along, as they are. */
  readonly hidden: Readonly<Record<string, string>>
  /** The page that can ask for what this one cannot. */
  readonly elsewhere?: string | undefined
  readonly leadsTo: string
}

/** Whether a payload is a form that can be rendered. */
export function isFormSchema(payload: unknown): payload is WfFormSchema {
  return isRecord(payload) && isRecord(payload.type) && payload.type.kind === 'object'
}

/** A form as a page that needs no script. Everything that it says was escaped; nothing secret is in it. */
export function formPage(content: FormPageContent, theme: WfPageTheme): Page {
  const says = textsOf(theme)
  const { form, hidden, context, formMessage, leadsTo } = content
  const view = describeForm(form)
  const data = initialData(form, context)
  const texts = content.typed ?? textsOfData(data)
  const asked = askableFields(form, view.fields)
  const title = plainText(view.title) ?? theme.title ?? says.thanks
  const errors = textEntries(content.errors)
  const isProblem = Object.keys(errors).length > 0 || content.isProblem
  const place = { texts, errors, says, prefix: FIELD_PREFIX }
  const fields = asked.map(({ field, id }) =>
    renderField({ ...place, field, path: field.name, id }),
  )
  const unseen = hiddenTexts(form, data, view.fields, texts)
  const body = markup`<h1>${title}</h1>
    ${isProblem ? summary(errors, formMessage, asked, says) : message(formMessage)}${lead(view.description)}${told(content, view.fields, texts, says)}
    <form method="post" action="?" novalidate accept-charset="utf-8">
      ${hiddenInputs(hidden)}${unseen}${fields}${leftOut(content, says)}
      <div class="ways">
        <button>${plainText(view.submitText)}</button>
        ${view.actions.map(renderAction)}
      </div>
    </form>`
  return page(theme, {
    title: isProblem ? `${says.error} ${title}` : title,
    content: body,
    leadsTo,
  })
}

function renderAction({ id, label }: WfActionView): Html {
  return markup`<button class="other" name="action" value="${id}">${label}</button>`
}

interface AskableField {
  readonly field: WfFieldView
  readonly id: string
}

function askableFields(form: WfFormSchema, fields: readonly WfFieldView[]): AskableField[] {
  return askable(openSchema(form), fields).map((field, at) => ({ field, id: `field-${at}` }))
}

/** The fields of a section that this page can ask for, at any depth. */
function askable(section: SchemaNode, fields: readonly WfFieldView[]): WfFieldView[] {
  const nodes = new Map(propsOf(section).map(node => [node.name, node]))
  return fields.flatMap(field => {
    const node = nodes.get(field.name)
    if (!node || field.disabled || !canAsk(node)) return []
    // Annotations may hold anything; what is no text is not shown.
    const label = plainText(field.label) ?? field.name
    const inner = field.fields && askable(node, field.fields)
    return [{ ...field, label, type: String(field.type), fields: inner }]
  })
}

function lead(description: unknown): Html | undefined {
  const text = plainText(description)
  return text === undefined ? undefined : markup`<p>${text}</p>`
}

function message(formMessage: string | undefined): Html | undefined {
  if (formMessage === undefined) return undefined
  return markup`<p class="message" role="status">${formMessage}</p>`
}

/** All that is wrong, above everything else, with a way to each field. It has the focus. */
function summary(
  errors: Readonly<Record<string, string>>,
  formMessage: string | undefined,
  fields: readonly AskableField[],
  says: WfPageTexts,
): Html {
  const items = Object.entries(errors).map(([path, sentence]) => {
    const target = findTarget(path, fields)
    return target
      ? markup`<li><a href="#${target.id}">${target.label}: ${sentence}</a></li>`
      : markup`<li>${inWords(path)}: ${sentence}</li>`
  })
  return markup`<div class="summary" role="alert" tabindex="-1" autofocus>
    <h2>${says.problems}</h2>
    ${formMessage !== undefined && markup`<p>${formMessage}</p>`}${
      items.length > 0 &&
      markup`<ul>
        ${items}
      </ul>`
    }
  </div>`
}

/** The field that a path leads to, or the nearest one around it. */
function findTarget(path: string, fields: readonly AskableField[]) {
  const [name, ...below] = path.split('.')
  const found = fields.find(({ field }) => field.name === name)
  if (!found) return undefined
  let { field, id } = found
  for (const part of below) {
    const at = field.fields?.findIndex(each => each.name === part) ?? -1
    if (at < 0) break
    field = field.fields![at]!
    id = `${id}-${at}`
  }
  return { id: targetOf(field, id), label: field.label }
}

/** What the workflow tells beside the form, and fields that are only shown. */
function told(
  { form, context }: FormPageContent,
  fields: readonly WfFieldView[],
  texts: FormTexts,
  says: WfPageTexts,
): Html | undefined {
  const names = new Set(propsOf(openSchema(form)).map(({ name }) => name))
  const others = Object.entries(context)
    .filter(([key]) => !names.has(key))
    .map(([key, value]) => [inWords(key), inWriting(value, says)] as const)
  const shown = fields
    .filter(({ disabled, secret }) => disabled && !secret)
    .map(({ name, label }) => {
      const value = Object.hasOwn(context, name) ? context[name] : texts.get(name)
      return [plainText(label) ?? name, inWriting(value, says)] as const
    })
  const pairs = [...others, ...shown].filter(([, value]) => value !== '')
  if (pairs.length === 0) return undefined
  return markup`<dl class="told">
    ${pairs.map(
      ([term, value]) =>
        markup`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

function inWriting(value: unknown, { yes, no }: WfPageTexts): string {
  const words = [value].flat().map(each => {
    return typeof each === 'boolean' ? (each ? yes : no) : (plainText(each) ?? '')
  })
  return words.filter(word => word !== '').join(', ')
}

/** Fields that nobody sees: what they start with is sent back. */
function hiddenTexts(
  form: WfFormSchema,
  data: Readonly<Record<string, unknown>>,
  shown: readonly WfFieldView[],
  texts: FormTexts,
): Html[] {
  const seen = new Set(shown.map(({ name }) => name))
  const nodes = propsOf(openSchema(form)).filter(({ name, secret }) => !seen.has(name) && !secret)
  const names = nodes.map(({ name }) => name).filter(name => Object.hasOwn(data, name))
  return names.flatMap(name =>
    [...texts]
      .filter(([path]) => path === name || path.startsWith(`${name}.`))
      .flatMap(([path, values]) =>
        values.flatMap(value => hiddenInputs({ [`${FIELD_PREFIX}${path}`]: value })),
      ),
  )
}

function leftOut({ form, elsewhere }: FormPageContent, says: WfPageTexts): Html | undefined {
  const labels = leftOutOf(openSchema(form))
  if (labels.length === 0) return undefined
  const way = elsewhere !== undefined && markup` <a href="${elsewhere}">${says.elsewhere}</a>`
  return markup`<p class="message">${says.leftOut} ${labels.join(', ')}.${way}</p>`
}

function textEntries(errors: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, sentence]) => {
      const text = plainText(sentence)
      return text === undefined ? [] : [[path, text] as const]
    }),
  )
}
