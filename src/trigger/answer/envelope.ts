import { createAsHttpOutlet, createHttpOutlet, type WfOutlet } from '../../outlets'
import { wantsHtml } from './wants-html'
import { isWfFinished, type WfFinished } from '../../run'

export interface RedirectAnswer {
  readonly body: unknown
  readonly status: number
  readonly location?: string
}

/** How answers are wrapped. */
export interface Envelope {
  readonly httpOutlet: WfOutlet
  finished(data: unknown): unknown
  /** A form, for those who only look at it. */
  form(
    schema: unknown,
    context: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>
  /** `body` is what a script is told, which goes nowhere by itself. */
  redirect(next: string, status: number, body?: WfFinished): RedirectAnswer
}

/** The envelope that form clients speak. */
export const asEnvelope: Envelope = {
  httpOutlet: createAsHttpOutlet(),
  form: (payload, context) => ({ inputRequired: { payload, transport: 'http', context } }),
  finished: data =>
    isWfFinished(data) ? data : { finished: true, ...(data !== undefined && { data }) },
  // A script is told where to go.
  redirect: (next, status, body = { finished: true, next }) =>
    wantsHtml() ? bareEnvelope.redirect(next, status) : { body, status: 200 },
}

/** No envelope: the workflow's own data. */
export const bareEnvelope: Envelope = {
  httpOutlet: createHttpOutlet(),
  form: (payload, context) => ({ payload, context }),
  finished: data => data ?? { finished: true },
  redirect: (location, status) => ({ body: '', status, location }),
}
