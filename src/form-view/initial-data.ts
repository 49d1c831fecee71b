import { attempt } from './attempt'
import { isField, openSchema, propsOf, type SchemaNode } from './schema-node'

/** What a form starts with: what the server passed under a field's name, or the field's default. */
export const initialData = (
  form: unknown,
  context: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    propsOf(openSchema(form))
      .filter(field => isField(field) && !field.secret)
      .map(field => [
        field.name,
        Object.hasOwn(context, field.name) ? context[field.name] : defaultOf(field),
      ])
      .filter(([, value]) => value !== undefined),
  )

const defaultOf = ({ meta, type: { designType }, optional }: SchemaNode): unknown => {
  const text = meta['meta.default']
  // A box that nobody ticks says no, where it has to say something.
  if (designType === 'boolean' && !optional) return text === 'true'
  return designType === 'string' ? text : (attempt(() => JSON.parse(text as string)) ?? text)
}
