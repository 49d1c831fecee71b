/** A form as it comes over the wire: an atscript type, serialised. */
export interface WfFormSchema {
  readonly type: WfTypeSchema
  readonly metadata: WfAnnotations
  readonly optional?: boolean | undefined
  readonly id?: string | undefined
}

/** The annotations of a form or a field that {@link describeForm} knows, and any others. */
export interface WfAnnotations {
  readonly [annotation: string]: unknown
  readonly 'meta.label'?: string | undefined
  readonly 'meta.description'?: string | undefined
  readonly 'ui.form.autocomplete'?: string | undefined
  readonly 'ui.form.grid.colSpan'?: string | undefined
  readonly 'ui.form.hint'?: string | undefined
  readonly 'ui.form.placeholder'?: string | undefined
  readonly 'ui.form.submit.text'?: string | undefined
  readonly 'ui.form.type'?: string | undefined
}

/** The type of a form, of a field or of what is in it. */
export type WfTypeSchema =
  | {
      readonly kind: ''
      readonly designType: string
      readonly value?: string | number | boolean | undefined
      /** What it is more precisely, such as `email`. */
      readonly tags?: readonly string[] | undefined
    }
  | { readonly kind: 'object'; readonly props: Readonly<Record<string, WfFormSchema>> }
  | { readonly kind: 'array'; readonly of: WfFormSchema }
  | {
      readonly kind: 'union' | 'intersection' | 'tuple'
      readonly items: readonly WfFormSchema[]
    }
  | { readonly kind: '$ref'; readonly id: string }
