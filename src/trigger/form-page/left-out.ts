import { inWords, openSchema, propsOf, type SchemaNode } from '../../form-view'
import { plainText } from './form-texts'

/** The labels of the fields that cannot be asked for without a script. */
export function leftOutOf(node: SchemaNode): string[] {
  return propsOf(node)
    .filter(({ meta }) => !meta['ui.form.hidden'] && !isOnlyShown(meta))
    .flatMap(prop => {
      if (!canAsk(prop)) return [plainText(prop.meta['meta.label']) ?? inWords(prop.name)]
      return isSection(prop) ? leftOutOf(prop) : []
    })
}

export function isOnlyShown(meta: SchemaNode['meta']): boolean {
  return Boolean(meta['ui.form.disabled'] || meta['meta.readonly'])
}

/** Whether a field, or the inside of it, can be asked for on a page that never changes. */
export function canAsk(node: SchemaNode): boolean {
  const { meta, type } = node
  if (isPlain(type)) return meta['ui.form.type'] !== 'file'
  if (isSection(node)) return propsOf(node).length > 0
  return type.kind === 'array' && isPlain(openSchema(type.of).type)
}

function isSection({ type }: SchemaNode): boolean {
  return type.kind === 'object' || type.kind === 'intersection'
}

/** What is written as one text. */
function isPlain({ kind, items }: SchemaNode['type']): boolean {
  if (kind === '') return true
  return kind === 'union' && Array.isArray(items) && items.every(i => isPlain(openSchema(i).type))
}
