import { listOf, recordOf } from './json'
import type { WfAnnotations } from './form-schema'

/** A form, a field or an item, opened so that anything may be missing. */
export interface SchemaNode {
  readonly name: string
  readonly meta: WfAnnotations
  readonly type: Readonly<Record<string, unknown>>
  readonly optional: unknown
  readonly isCode: boolean
  /** A password or a code: kept nowhere. */
  readonly secret: boolean
}

export const openSchema = (schema: unknown, name = ''): SchemaNode => {
  const { metadata, type, optional } = recordOf(schema)
  const meta: WfAnnotations = recordOf(metadata)
  const input = meta['ui.form.type']
  const isCode = input === 'code' || meta['ui.form.autocomplete'] === 'one-time-code'
  const secret = isCode || input === 'password' || Boolean(meta['meta.sensitive'])
  return { name, meta, type: recordOf(type), optional, isCode, secret }
}

/** The fields and the buttons of an object, or of several that are joined. */
export const propsOf = ({ type }: SchemaNode): SchemaNode[] =>
  [...new Map(schemasOf(type))].map(([name, schema]) => openSchema(schema, name))

const schemasOf = ({ kind, props, items }: SchemaNode['type']): [string, unknown][] =>
  kind === 'intersection'
    ? listOf(items).flatMap(item => schemasOf(openSchema(item).type))
    : Object.entries(recordOf(props))

/** Whether it takes a value. Buttons and phantoms do not, and types within themselves never end. */
export const isField = ({ meta, type: { kind, designType, of } }: SchemaNode): boolean => {
  if (kind === 'array') return isField(openSchema(of))
  const isButton = kind === '' && (meta['ui.form.action'] || meta['wf.action.withData'])
  return !isButton && kind !== '$ref' && designType !== 'phantom'
}
