import { getJson } from '../api/api'

/** A mail of the demo. */
export interface Mail {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Empty if it has none. */
  readonly html: string
  readonly date: string
  readonly messageId: string
}

/** The newest mails, the newest first. */
export const getMails = (limit: number, signal: AbortSignal) =>
  getJson<readonly Mail[]>('/api/inbox', { limit }, signal)

/** Where a mail is shown as a mail program would show it. */
export const pathOfHtml = ({ id }: Mail) => `/api/inbox/${encodeURIComponent(id)}`
