import { attempt, listOf, recordOf } from '../form-view'
import type { WfRemember } from './client-options'
import type { KeptText } from './kept-text'

type Data = Readonly<Record<string, unknown>>

/** What was typed into a form and is not sent, for a reload. */
export interface TypedText {
  /**
   * Keeps what may be remembered, in place of what was there; nothing without a form, or without a
   * token that it will be sent with.
   */
  write(token?: string, form?: unknown, data?: Data): void
  /** Gives it back for the same form of the same flow, and for no other. */
  read(token: string | undefined, form: unknown): Data | undefined
}

export const createTypedText = (kept: KeptText, remember: WfRemember): TypedText => ({
  write(token, form, data) {
    const text = attempt(() => {
      const typed = token && form && remember(form, data)
      return Object.keys(typed || {}).length && JSON.stringify([token, digestOf(form), typed])
    })
    kept.set(text || undefined)
  },
  read(token, form) {
    const [ofToken, ofForm, data] = listOf(attempt(() => JSON.parse(kept.get()!)))
    return ofToken === token && ofForm === digestOf(form) ? recordOf(data) : undefined
  },
})

/** Tells forms apart without keeping one. */
const digestOf = (form: unknown): string => {
  const text = JSON.stringify(form) ?? ''
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0
  return `${hash}.${text.length}`
}
