import type { WfFieldView } from '@atscript/moost-wf/client'

/**
 * What the controls of a form hold while someone types: texts and numbers as typed, `null` where
 * nothing is chosen. Keys that have no field (hidden ones) are carried along.
 */
export type Draft = Record<string, unknown>

/** An entry of a list. Its key stays when others are removed, and so does the focus in it. */
export interface DraftItem {
  readonly key: number
  value: unknown
}

let lastKey = 0

/** A new entry for a list, empty unless there is a value for it. */
export const draftItem = (item: WfFieldView, value?: unknown): DraftItem => ({
  key: ++lastKey,
  value: draftOfField(item, value),
})

/** What the controls of `fields` show at first. */
export function draftOf(fields: readonly WfFieldView[], data: unknown): Draft {
  const known = isRecord(data) ? data : {}
  const drafts = fields.map(field => [field.name, draftOfField(field, known[field.name])])
  return { ...known, ...Object.fromEntries(drafts) }
}

export function draftOfField(field: WfFieldView, value: unknown): unknown {
  switch (field.kind) {
    case 'flag':
      return value === true
    case 'choice':
      return field.options?.some(option => option.value === value) ? value : null
    case 'group':
      return draftOf(field.fields ?? [], value)
    case 'list':
      return draftOfList(field, value)
    default:
      // What was typed into such a field is not shown again once the form was taken.
      if (field.secret) return ''
      return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
}

function draftOfList({ item, minLength = 0 }: WfFieldView, value: unknown): DraftItem[] {
  if (!item) return []
  const values: unknown[] = Array.isArray(value) ? value : Array.from({ length: minLength })
  return values.map(each => draftItem(item, each))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
