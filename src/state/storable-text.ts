/**
 * Whether a text can be kept. PostgreSQL has no text with NUL, and half a surrogate pair would come
 * back as another character.
 */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && (text as WellFormed).isWellFormed()
}

// In every runtime from Node 20 on; TypeScript has it from ES2024 on.
type WellFormed = string & { isWellFormed(): boolean }

/**
 * Whether all texts in a value as JSON has them can be kept, its keys included. Does not call itself:
 * the value may be nested as deeply as its sender liked.
 */
export function isStorable(value: unknown): boolean {
  const pending = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string' && !isStorableText(next)) return false
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next) && !Object.keys(next).every(isStorableText)) return false
    for (const part of Object.values(next)) pending.push(part)
  }
  return true
}
