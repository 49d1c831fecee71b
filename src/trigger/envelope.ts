import { createAsHttpOutlet, createHttpOutlet, type WfOutlet } from '../outlets'

/** How answers are wrapped. */
export interface Envelope {
  readonly httpOutlet: WfOutlet
  finished(data: unknown): unknown
}

/** The envelope that form clients speak. */
export const asEnvelope: Envelope = {
  httpOutlet: createAsHttpOutlet(),
  finished: data => (isDone(data) ? data : { finished: true, ...(data !== undefined && { data }) }),
}

/** No envelope: the workflow's own data. */
export const bareEnvelope: Envelope = {
  httpOutlet: createHttpOutlet(),
  finished: data => data ?? { finished: true },
}

function isDone(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'finished' in data && data.finished === true
}
