import type { WfFieldView, WfOptionView } from './form-view'
import { inWords } from './in-words'
import { listOf, recordOf } from './json'
import { isField, openSchema, propsOf, type SchemaNode } from './schema-node'

type Kind = WfFieldView['kind']

const INPUT_TYPES: { readonly [kind in Kind]?: string } = { flag: 'checkbox', number: 'number' }

/** The fields of an object that are shown. */
export const describeFields = (node: SchemaNode): WfFieldView[] =>
  shownProps(node).filter(isField).map(describeField)

/** What is not hidden: the lowest order first, and at the end whatever has none. */
export const shownProps = (node: SchemaNode): SchemaNode[] =>
  propsOf(node)
    .filter(({ meta }) => !meta['ui.form.hidden'])
    // oxlint-disable-next-line unicorn/no-array-sort -- a new array, and browsers before 2023
    .sort((a, b) => orderOf(a) - orderOf(b))

const orderOf = ({ meta }: SchemaNode) => numberOf(meta['ui.form.order']) ?? Infinity

const describeField = (node: SchemaNode): WfFieldView => {
  const { name, meta, type, optional, isCode, secret } = node
  const options = optionsOf(node)
  const kind = kindOf(type, options)
  return {
    name,
    label: meta['meta.label'] ?? inWords(name),
    kind,
    type: isCode
      ? 'text'
      : (meta['ui.form.type'] ??
        INPUT_TYPES[kind] ??
        (listOf(type.tags).includes('email') ? 'email' : 'text')),
    required: !optional && (kind !== 'flag' || !!(type.value || meta['meta.required'])),
    disabled: !!(meta['ui.form.disabled'] || meta['meta.readonly']),
    secret,
    placeholder: meta['ui.form.placeholder'],
    hint: meta['ui.form.hint'],
    autocomplete: isCode ? 'one-time-code' : meta['ui.form.autocomplete'],
    inputMode: isCode || meta['expect.int'] ? 'numeric' : undefined,
    span: meta['ui.form.grid.colSpan'],
    min: numberOf(meta['expect.min']),
    max: numberOf(meta['expect.max']),
    minLength: numberOf(meta['expect.minLength']),
    maxLength: numberOf(meta['expect.maxLength']),
    options: kind === 'choice' ? (options as WfOptionView[]) : undefined,
    fields: kind === 'group' ? describeFields(node) : undefined,
    item: kind === 'list' ? describeField(openSchema(type.of, name)) : undefined,
  }
}

const kindOf = ({ kind, designType }: SchemaNode['type'], options: readonly unknown[]): Kind => {
  if (kind === 'array') return 'list'
  if (kind === 'object' || kind === 'intersection') return 'group'
  if (designType === 'boolean') return 'flag'
  if (options.length && options.every(Boolean)) return 'choice'
  return designType === 'number' ? 'number' : 'text'
}

/** A code, such as that of a currency, is no word. */
const optionLabel = (value: string): string => (/^[A-Z\d]+$/.test(value) ? value : inWords(value))

/** The literals that a type allows, and `undefined` for each other thing. */
const optionsOf = ({
  meta,
  type: { kind, items, value },
}: SchemaNode): (WfOptionView | undefined)[] => {
  if (kind === 'union') return listOf(items).flatMap(item => optionsOf(openSchema(item)))
  return [
    /string|number|boolean/.test(typeof value)
      ? ({ value, label: meta['meta.label'] ?? optionLabel(String(value)) } as WfOptionView)
      : undefined,
  ]
}

/** A number that stands alone, or beside a message for those who do not keep to it. */
const numberOf = (annotation: unknown): number | undefined => {
  const values = [annotation, ...Object.values(recordOf(annotation))]
  return values.find(value => typeof value === 'number')
}
