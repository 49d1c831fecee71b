import type { WfFieldView } from '@atscript/moost-wf/client'
import { type FieldErrors, hasField } from './form-errors'
import type { FormProps } from './form-props'
import { texts } from './form-texts'

type Complaints = Readonly<Pick<FormProps, 'errors' | 'formMessage' | 'error'>>

/** What is said above the fields, so that it is heard. */
export interface Complaint {
  readonly message: string
  /** Sentences about what the form has no field for. */
  readonly others: readonly string[]
}

export const hasComplaint = ({ errors = {}, formMessage, error }: Complaints): boolean =>
  Boolean(error) || Boolean(formMessage) || Object.keys(errors).length > 0

/** The newest thing to say comes first: a failed request, then the server's own sentence. */
export function complaintOf(
  { errors = {}, formMessage, error }: Complaints,
  fields: readonly WfFieldView[],
): Complaint | undefined {
  const { placed, others } = sort(errors, fields)
  const [first, ...rest] = others
  const counted = placed > 0 ? texts.checkFields(placed) : undefined
  const message = error?.message || formMessage || counted
  if (message) return { message, others }
  return first === undefined ? undefined : { message: first, others: rest }
}

function sort(errors: FieldErrors, fields: readonly WfFieldView[]) {
  const paths = Object.keys(errors)
  const others = paths.filter(path => !hasField(fields, path))
  return { placed: paths.length - others.length, others: others.map(path => errors[path] ?? '') }
}
