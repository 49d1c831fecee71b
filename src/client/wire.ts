/** A form as it comes over the wire: an atscript type, serialised. */
export interface WfFormSchema {
  readonly type: WfTypeSchema
  readonly metadata: WfAnnotations
  readonly optional?: boolean
  readonly id?: string
}

/** The annotations of a form or a field that {@link describeForm} knows, and any others. */
export interface WfAnnotations {
  readonly [annotation: string]: unknown
  readonly 'meta.label'?: string
  readonly 'meta.description'?: string
  readonly 'ui.form.autocomplete'?: string
  readonly 'ui.form.grid.colSpan'?: string
  readonly 'ui.form.hint'?: string
  readonly 'ui.form.placeholder'?: string
  readonly 'ui.form.submit.text'?: string
  readonly 'ui.form.type'?: string
}

/** The type of a form, of a field or of what is in it. */
export type WfTypeSchema =
  | {
      readonly kind: ''
      readonly designType: string
      readonly value?: string | number | boolean
      /** What it is more precisely, such as `email`. */
      readonly tags?: readonly string[]
    }
  | { readonly kind: 'object'; readonly props: Readonly<Record<string, WfFormSchema>> }
  | { readonly kind: 'array'; readonly of: WfFormSchema }
  | {
      readonly kind: 'union' | 'intersection' | 'tuple'
      readonly items: readonly WfFormSchema[]
    }
  | { readonly kind: '$ref'; readonly id: string }

/** What a workflow ends with, or what became of a form that went to someone else. */
export interface WfResponse<D = unknown> {
  readonly finished?: true
  readonly data?: D
  /** A sentence for the user. */
  readonly message?: string
  /** Where to go next: a path of this site. */
  readonly next?: string
  readonly aborted?: true
  /** Why the workflow was aborted, for the program. */
  readonly reason?: string
  /** The workflow goes on with whoever gets the message. */
  readonly sent?: true
  readonly outlet?: string
}

/** A request that was refused, or did not come through. */
export interface WfClientError {
  /** The server's code, or `WF_NETWORK`, or `WF_BAD_ANSWER`. */
  readonly code: string
  /** A sentence for the user. */
  readonly message: string
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
}

/** A link that was opened and can be used. What the server did not tell is missing. */
export interface WfPendingResume {
  /** The workflow that it goes on with. */
  readonly wfid?: string
  /** Until when it can be used, in milliseconds since 1970. */
  readonly expiresAt?: number
}
