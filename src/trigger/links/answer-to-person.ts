import type { TriggerRequest } from '../read/read-request'

/** What is known of an answer that a person gets. */
export interface AnswerToPerson {
  readonly body: unknown
  /** Of the answer; there is none if it is a refusal. */
  readonly wfid?: string | undefined
  /** What was sent; there is none if it could not be read. */
  readonly request?: TriggerRequest | undefined
  /** The form of a link is shown, and nothing else has happened. */
  readonly isOnlyShown?: boolean | undefined
  /** The same was sent before. */
  readonly isRepeated?: boolean | undefined
}
