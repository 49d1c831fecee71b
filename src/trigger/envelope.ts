import { useHeaders } from '@wooksjs/event-http'
import { createAsHttpOutlet, createHttpOutlet, type WfOutlet } from '../outlets'
import { isRecord } from '../state'

export interface RedirectAnswer {
  readonly body: unknown
  readonly status: number
  readonly location?: string
}

/** How answers are wrapped. */
export interface Envelope {
  readonly httpOutlet: WfOutlet
  finished(data: unknown): unknown
  redirect(next: string, status: number): RedirectAnswer
}

/** The envelope that form clients speak. */
export const asEnvelope: Envelope = {
  httpOutlet: createAsHttpOutlet(),
  finished: data => {
    const isDone = isRecord(data) && data.finished === true
    return isDone ? data : { finished: true, ...(data !== undefined && { data }) }
  },
  // Only a browser that navigates names HTML; scripts send a wildcard, and are told where to go.
  redirect: (next, status) =>
    useHeaders().accept?.includes('text/html')
      ? bareEnvelope.redirect(next, status)
      : { body: { finished: true, next }, status: 200 },
}

/** No envelope: the workflow's own data. */
export const bareEnvelope: Envelope = {
  httpOutlet: createHttpOutlet(),
  finished: data => data ?? { finished: true },
  redirect: (location, status) => ({ body: '', status, location }),
}
