/** A form, ready to be rendered. */
export interface WfFormView {
  readonly title: string | undefined
  readonly description: string | undefined
  readonly submitText: string
  /** In the order in which they are shown. Hidden ones are left out. */
  readonly fields: readonly WfFieldView[]
  readonly actions: readonly WfActionView[]
}

/** A button beside the submit button. */
export interface WfActionView {
  readonly id: string
  readonly label: string
  /** Whether it sends what was typed so far. */
  readonly withData: boolean
}

/** One field of a form. */
export interface WfFieldView {
  /** Its key in the object that holds it. */
  readonly name: string
  readonly label: string
  /** `group`: an object with fields of its own; `list`: any number of `item`. */
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'group' | 'list'
  /** The type of an HTML input; `textarea` for more than a line. */
  readonly type: string
  readonly required: boolean
  readonly disabled: boolean
  /** A password or a code: never kept anywhere. */
  readonly secret: boolean
  readonly placeholder?: string | undefined
  readonly hint?: string | undefined
  readonly autocomplete?: string | undefined
  /** Which keyboard a phone shows: `numeric` for a one-time code. */
  readonly inputMode?: string | undefined
  /** How much of the width it takes, such as `half`. */
  readonly span?: string | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly options?: readonly WfOptionView[] | undefined
  readonly fields?: readonly WfFieldView[] | undefined
  readonly item?: WfFieldView | undefined
}

/** One of the values of a choice. */
export interface WfOptionView {
  readonly value: string | number | boolean
  readonly label: string
}
