import { isRecord } from '../state'

/** A sentence for the user, and how it is meant. */
export interface WfMessage {
  readonly level: 'info' | 'success' | 'warn' | 'error'
  readonly text: string
}

/** What a page does at the end of a workflow. */
export type WfActionRequest =
  | {
      readonly type: 'redirect'
      /** A path of this site. */
      readonly target: string
      /** Why, for the program. */
      readonly reason?: string | undefined
    }
  | { readonly type: 'reload' }
  /** The page, or the dialog, is done with. */
  | { readonly type: 'dismiss' }

/** A button at the end of a workflow. */
export interface WfButton {
  readonly label: string
  readonly action: WfActionRequest
}

/** How it goes on behind the end of a workflow: at once, after a while, or as the user chooses. */
export type WfNext =
  | { readonly trigger: 'immediate'; readonly action: WfActionRequest }
  | {
      readonly trigger: 'auto'
      readonly timeoutMs: number
      readonly action: WfActionRequest
      readonly skipButton?:
        | {
            readonly label: string
            /** Whether it goes on at once, or not at all. @default 'now' */
            readonly behavior?: 'now' | 'cancel' | undefined
          }
        | undefined
    }
  | {
      readonly trigger: 'manual'
      readonly primary?: WfButton | undefined
      readonly options?: readonly WfButton[] | undefined
    }

/** How the end of a workflow looks on the wire. */
export interface WfFinished {
  readonly finished: true
  readonly data?: unknown
  /** A sentence for the user. */
  readonly message?: string | WfMessage | undefined
  /** Where the user goes next: a path of this site, or how it goes on in more detail. */
  readonly next?: string | WfNext | undefined
  readonly aborted?: true | undefined
  /** Why it was aborted, for the program. */
  readonly reason?: string | undefined
}

/**
 * Whether a value is the end of a workflow, as it goes over the wire.
 *
 * @example
 * ```ts
 * import { isWfFinished } from '@atscript/moost-wf/run'
 *
 * isWfFinished({ finished: true, next: '/home' }) // true
 * isWfFinished({ inputRequired: {} }) // false
 * ```
 */
export function isWfFinished(value: unknown): value is WfFinished {
  return isRecord(value) && value.finished === true
}
