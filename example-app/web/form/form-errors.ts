import type { WfFieldView } from '@atscript/moost-wf/client'

/** Sentences by the path of their field: `address.street`, `tags.0`. */
export type FieldErrors = Readonly<Record<string, string>>

/** Whether the form has a field at `path`, so that a sentence about it is shown there. */
export function hasField(fields: readonly WfFieldView[], path: string): boolean {
  const [name, ...rest] = path.split('.')
  const field = fields.find(each => each.name === name)
  return field !== undefined && reaches(field, rest)
}

function reaches(field: WfFieldView, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true
  if (field.kind === 'group') return hasField(field.fields ?? [], [key, ...rest].join('.'))
  return field.kind === 'list' && field.item !== undefined && reaches(field.item, rest)
}

/** The errors without those of the fields inside of `path`. */
export function withoutErrorsIn(errors: FieldErrors, path: string): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([key]) => !key.startsWith(`${path}.`)))
}
