import type { WfFieldView } from '@atscript/moost-wf/client'
import type { Draft, DraftItem } from './form-draft'

/** What is sent for a draft. An empty field that is optional is left out. */
export function dataOf(fields: readonly WfFieldView[], draft: Draft): Record<string, unknown> {
  const data = fields.map(field => [field.name, dataOfField(field, draft[field.name])])
  const all = { ...draft, ...Object.fromEntries(data) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function dataOfField(field: WfFieldView, draft: unknown): unknown {
  if (!field.required && isBlank(field, draft)) return field.kind === 'flag' ? false : undefined
  switch (field.kind) {
    case 'number':
      return numberOf(String(draft))
    case 'choice':
      return draft ?? undefined
    case 'group':
      return dataOf(field.fields ?? [], draft as Draft)
    case 'list':
      return (draft as DraftItem[]).map(({ value }) => field.item && dataOfField(field.item, value))
    default:
      return draft
  }
}

/** What is no number is sent as it was typed: the server says what is wrong with it. */
function numberOf(typed: string): number | string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  return Number.isFinite(Number(text)) ? Number(text) : typed
}

function isBlank(field: WfFieldView, draft: unknown): boolean {
  switch (field.kind) {
    case 'flag':
      return draft === false
    case 'choice':
      return draft === null
    case 'group':
      return (field.fields ?? []).every(child => isBlank(child, (draft as Draft)[child.name]))
    case 'list':
      return (draft as DraftItem[]).length === 0
    default:
      return draft === ''
  }
}
