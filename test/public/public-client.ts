import type { Answer } from '../support/shop'

type Data = Readonly<Record<string, unknown>>

/** What is sent for a form that was filled in, or for a button beside it. */
export interface Submit {
  readonly data?: Data
  readonly action?: string
}

/** How a client writes a submit into a request. */
export type Wire = (wfs: string, submit: Submit) => object

/** As older clients do: the action stands beside the input. */
export const olderWire: Wire = (wfs, { data, action }) => ({ wfs, input: data, action })

/** As the newest client does: `formData` is absent for an action without data. */
export const newerWire: Wire = (wfs, { data, action }) => ({
  wfs,
  input: { formData: data, action },
})

/** The sentences that the newest client shows at the fields. */
export function shownErrors({ body }: Answer): Data {
  const { __form, ...fields } = (body.inputRequired.context.errors ?? {}) as Data
  return fields
}

/** The sentence that it shows above the form. */
export const shownFormError = ({ body }: Answer): unknown =>
  body.inputRequired.context.errors?.__form

/** What it shows of an answer that is an error. */
export const shownFailure = ({ body }: Answer): unknown =>
  typeof body.error === 'string' ? body.error : body.message
