/** What was answered to a form. */
export interface WfFormAnswer {
  readonly input?: unknown
  readonly action?: string | undefined
  /** Whose part it answers, where several people are asked. */
  readonly seat?: string | undefined
  /** The history has told of it already. */
  readonly isTold?: true | undefined
}

/** An answer that can be handed to the step, or what the form is shown with again. */
export type WfReadAnswer =
  | {
      readonly answer: WfFormAnswer
      /** What was typed, as the step gets it. */
      readonly data?: unknown
    }
  | { readonly sentences: Readonly<Record<string, unknown>> }

/**
 * A form that a step declares, as far as whoever runs the step must know it: enough to show it, and to
 * refuse an answer, without running the step.
 */
export interface WfStepForm {
  readonly id: string
  /** Of the form as it goes over the wire: another one after a deploy that has changed it. */
  readonly digest: string
  /** What it is declared with. */
  readonly type: unknown
  /** The form as it goes over the wire. */
  readonly schema: unknown
  /** The keys of the context that are shown with it. */
  readonly contextKeys: readonly string[]
  /** Whether the step asks the caller for it; else it asks in its own way, by mail for example. */
  readonly isAsked: boolean
  /** Its buttons beside the one that submits. */
  readonly actions: readonly string[]
  /** Whether it asks for a password, a code, or what else must not be kept. */
  readonly isSensitive: boolean
  /** What of a context is shown with it. */
  passContext(context: unknown): Readonly<Record<string, unknown>>
  /**
   * Checks an answer as the step would, as far as that can be told without it. Has no effects.
   *
   * @param digest of the form that was shown, which may be an older one
   */
  read(answer: WfFormAnswer, digest?: string): WfReadAnswer
}
