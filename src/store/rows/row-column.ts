import type { WfRowColumn } from '../../state'
import { primitiveOf, type ShadowField } from './shadow-field'
import type { WfTableField, WfTableType } from './wf-table'

/** Handles are live links, a state holds all that the steps know, and what was sent is sealed. */
const NEVER_SHOWN = new Set(['handle', 'state', 'input', 'answer'])

/** The columns of a type that hold a single value each, but for the handle. */
export function readRowColumns(
  { type }: WfTableType,
  shadowFields: readonly ShadowField[],
): readonly WfRowColumn[] {
  return [...(type.props ?? [])].flatMap(([name, field]) => {
    const kind = NEVER_SHOWN.has(name) ? undefined : kindOf(field)
    if (!kind) return []
    const { metadata, optional = false } = field
    const shadow = shadowFields.find(({ field: column }) => column === name)
    const options = literalsOf(field)
    return [
      {
        name,
        label: String(metadata.get('meta.label') ?? name),
        type: kind,
        isId: Boolean(metadata.get('meta.id')),
        nullable: optional,
        hidden: Boolean(metadata.get('ui.table.hidden')),
        ...(options && { options }),
        ...(shadow && { path: shadow.path }),
      },
    ]
  })
}

function kindOf(field: WfTableField): WfRowColumn['type'] | undefined {
  if (field.metadata.get('db.json')) return undefined
  const primitive = primitiveOf(field)
  if (primitive !== 'number') return primitive
  if (field.type.tags?.has('timestamp')) return 'timestamp'
  return field.metadata.get('expect.int') ? 'integer' : 'number'
}

function literalsOf({ type }: WfTableField): unknown[] | undefined {
  const values = type.kind === 'union' ? type.items?.map(item => item.type.value) : undefined
  return values?.every(value => value !== undefined) ? values : undefined
}
