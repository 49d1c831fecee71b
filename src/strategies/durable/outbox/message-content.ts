import { isRecord } from '../../../state'
import type { LinkOrigin } from './link-keys'

/** What a message says. It is sealed where it is stored: it may tell of people. */
export interface MessageContent {
  /** What its link is made from. Another message may have the same link. */
  readonly link: LinkOrigin
  /** What the outlet is given. */
  readonly request: Readonly<Record<string, unknown>>
  /** What can be typed in place of the link. */
  readonly code?: string | undefined
}

/** Stored content is not trusted. */
export function isMessageContent(content: unknown): content is MessageContent {
  if (!isRecord(content) || !isRecord(content.request) || !isRecord(content.link)) return false
  const { key, flowId, id } = content.link
  const isCode = content.code === undefined || typeof content.code === 'string'
  return isCode && [key, flowId, id].every(part => typeof part === 'string')
}
