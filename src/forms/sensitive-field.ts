import { isRecord } from '../state'

const TYPES: readonly unknown[] = ['password', 'code']
const AUTOCOMPLETE: readonly unknown[] = ['one-time-code', 'current-password', 'new-password']

/** Whether a form, as it goes over the wire, asks for what must not be kept. */
export function hasSensitiveField(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasSensitiveField)
  if (!isRecord(schema)) return false
  const { metadata } = schema
  if (isRecord(metadata) && isSensitive(metadata)) return true
  return Object.values(schema).some(hasSensitiveField)
}

function isSensitive(metadata: Readonly<Record<string, unknown>>): boolean {
  return (
    Boolean(metadata['meta.sensitive']) ||
    TYPES.includes(metadata['ui.form.type']) ||
    AUTOCOMPLETE.includes(metadata['ui.form.autocomplete'])
  )
}
