import { recordOf } from './json'
import { isField, openSchema, propsOf, type SchemaNode } from './schema-node'

/** What was typed into fields of the form that are no secrets. */
export const withoutSecrets = (form: unknown, data: unknown): Record<string, unknown> =>
  pick(openSchema(form), data) as Record<string, unknown>

const pick = (node: SchemaNode, value: unknown): unknown => {
  const { kind, of } = node.type
  if (kind === 'array' && Array.isArray(value)) {
    const item = openSchema(of)
    return value.map(each => pickField(item, each))
  }
  const fields = new Map(propsOf(node).map(field => [field.name, field]))
  return Object.fromEntries(
    Object.entries(recordOf(value)).flatMap(([name, each]) => {
      const field = fields.get(name)
      const picked = field && pickField(field, each)
      return picked === undefined ? [] : [[name, picked]]
    }),
  )
}

const pickField = (field: SchemaNode, value: unknown): unknown => {
  if (field.secret || !isField(field)) return undefined
  return typeof value === 'object' && value ? pick(field, value) : value
}
