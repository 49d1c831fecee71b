import { isRecord } from '../state'

/** What stands for a secret. */
export const REDACTED = '•••'
/** What stands for more than is shown. */
const CUT = '…'

const MAX_DEPTH = 12
const MAX_VALUES = 5000
const MAX_ITEMS = 200
/** How much is shown of a text. */
export const MAX_TEXT = 2000

export interface RedactOptions {
  isSecret(key: string): boolean
  /** Texts that are hidden wherever they stand: live links. */
  readonly hide: readonly string[]
}

/** A copy of a context that can be shown: without its secrets, and not without end. */
export function redactContext(context: unknown, { isSecret, hide }: RedactOptions): unknown {
  let room = MAX_VALUES
  const showText = (text: string) => {
    if (hide.some(secret => text.includes(secret))) return REDACTED
    return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}${CUT}` : text
  }
  const show = (value: unknown, depth: number): unknown => {
    if (--room < 0 || depth > MAX_DEPTH) return CUT
    if (typeof value === 'string') return showText(value)
    if (Array.isArray(value)) {
      const items = value.slice(0, MAX_ITEMS).map(item => show(item, depth + 1))
      return value.length > MAX_ITEMS ? [...items, CUT] : items
    }
    if (!isRecord(value)) return value
    const entries = Object.entries(value).slice(0, MAX_VALUES)
    return Object.fromEntries(
      entries.map(([key, item]) => [
        showText(key),
        item !== null && isSecret(key) ? REDACTED : show(item, depth + 1),
      ]),
    )
  }
  return show(context, 0)
}
