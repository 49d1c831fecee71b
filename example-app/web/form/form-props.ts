import type { WfClientError, WfFormSchema } from '@atscript/moost-wf/client'
import type { FieldErrors } from './form-errors'

/** Everything about a form at one moment. */
export interface FormProps {
  form: WfFormSchema
  /** What the fields hold at first, and hidden values that go back with the others. */
  data?: Readonly<Record<string, unknown>>
  errors?: FieldErrors
  /** A sentence about the form as a whole. */
  formMessage?: string
  loading?: boolean
  /** The button that waits while it is loading: an action, by its id, or `true` for the form. */
  pressed?: string | true
  /** A request that was refused, or did not come through. */
  error?: Pick<WfClientError, 'code' | 'message'>
  /** The action that stands first, in place of the button that sends the form. */
  primary?: string
  /** When actions may be pressed again, by their ids: milliseconds since the epoch, by the server's clock. */
  notBefore?: Readonly<Record<string, unknown>>
  /** What the title is in the outline of the page. */
  heading?: 'h1' | 'h2' | 'h3'
}
