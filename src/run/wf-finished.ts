import { isRecord } from '../state'

/** How the end of a workflow looks on the wire. */
export interface WfFinished {
  readonly finished: true
  readonly data?: unknown
  /** A sentence for the user. */
  readonly message?: string | undefined
  /** Where the user goes next: a path of this site. */
  readonly next?: string | undefined
  readonly aborted?: true | undefined
  /** Why it was aborted, for the program. */
  readonly reason?: string | undefined
}

/**
 * Whether a value is the end of a workflow, as it goes over the wire.
 *
 * @example
 * ```ts
 * import { isWfFinished } from '@atscript/moost-wf'
 *
 * isWfFinished({ finished: true, next: '/home' }) // true
 * isWfFinished({ inputRequired: {} }) // false
 * ```
 */
export function isWfFinished(value: unknown): value is WfFinished {
  return isRecord(value) && value.finished === true
}
