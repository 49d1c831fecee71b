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

/** What a workflow ends with, or how it goes on without the page. */
export interface WfResponse<D = unknown> {
  readonly finished?: true | undefined
  readonly data?: D | undefined
  /** A sentence for the user, as the workflow has put it. */
  readonly message?: string | WfMessage | undefined
  /** Where to go next: a path of this site, or how it goes on in more detail. */
  readonly next?: string | WfNext | undefined
  readonly aborted?: true | undefined
  /** Why the workflow was aborted, for the program. */
  readonly reason?: string | undefined
  /** The workflow goes on with whoever gets the message. */
  readonly sent?: true | undefined
  readonly outlet?: string | undefined
  /** It is not sent yet, and will be. */
  readonly queued?: true | undefined
  /** By what {@link watchWf} sees what becomes of it, and {@link WfClient.enterCode} goes on with it. */
  readonly watch?: string | undefined
  /** The message has a code in it. */
  readonly code?: true | undefined
  /** It waits for another system, which has no form. */
  readonly waiting?: true | undefined
  /** Nothing was started: the same user's workflow of this kind goes on elsewhere. */
  readonly joined?: true | undefined
  /** It rests, and goes on by itself. */
  readonly delayed?: true | undefined
  /** When it does, in milliseconds since 1970. */
  readonly until?: number | undefined
  /** The answer of one of several people: the workflow goes on when the others have answered. */
  readonly noted?: true | undefined
  /** It can be replaced until then: the tab keeps its token. */
  readonly canChange?: true | undefined
  /** A step has failed, and is tried again by itself. */
  readonly retrying?: true | undefined
  /** When it is, in milliseconds since 1970. */
  readonly retryAt?: number | undefined
}

/** A request that was refused, or did not come through. */
export interface WfClientError {
  /** The server's code, or `WF_NETWORK`, or `WF_BAD_ANSWER`. */
  readonly code: string
  /** A sentence for the user. */
  readonly message: string
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  /** The workflow that can be started instead. */
  readonly restart?:
    | {
        readonly wfid: string
        /** Whether {@link WfClient.restart} takes along what was typed. */
        readonly carriesOver?: true | undefined
      }
    | undefined
  /** Whether {@link WfClient.askFresh} can have a new link sent to whoever has got this one. */
  readonly fresh?: true | undefined
  /** How many more codes may be tried. */
  readonly triesLeft?: number | undefined
  /** When the link was answered, and by whom, where the workflow tells. */
  readonly answered?:
    | { readonly at?: number | undefined; readonly by?: string | undefined }
    | undefined
}

/** A link that was opened and can be used. What the server did not tell is missing. */
export interface WfPendingResume {
  /** The workflow that it goes on with. */
  readonly wfid?: string | undefined
  /** Until when it can be used, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined
}
