import { attempt, recordOf } from '../form-view'

/** What is needed of `fetch`. */
export type WfFetch = (
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body?: string
    signal: AbortSignal
  },
) => Promise<{ readonly status: number; text(): Promise<string> }>

/** A request; one with a body is a POST. */
export interface WfRequest {
  readonly url: string
  readonly body?: string
}

/** An answer that is yet to be understood. */
export interface WfReply {
  /** 0 when there was none. */
  readonly status: number
  /** Empty unless it is a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Sends a request and reads the answer. Never throws. */
export const exchange = async (
  fetch: WfFetch,
  { url, body }: WfRequest,
  signal: AbortSignal,
): Promise<WfReply> => {
  let status = 0
  let text = ''
  try {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json' },
      body,
      signal,
    })
    text = await response.text()
    status = response.status
  } catch {
    // There is no answer, or not all of it.
  }
  return { status, body: recordOf(attempt(() => JSON.parse(text))) }
}
