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
) => Promise<{
  readonly status: number
  readonly headers?: { get(name: string): string | null } | undefined
  text(): Promise<string>
  /** Needed for server-sent events only. */
  readonly body?: WfBody | null | undefined
}>

/** What is needed of a stream. */
interface WfBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  }
}

/** An answer that is yet to be understood. */
export interface WfReply {
  /** 0 when there was none. */
  readonly status: number
  /** Empty unless it is a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
  /** The server has had the request before, and has answered as it did then. */
  readonly isRepeated: boolean
}

/** Sends a request and reads the answer; one with a body is a POST. Never throws. */
export const exchange = async (
  fetch: WfFetch,
  url: string,
  body: string | undefined,
  signal: AbortSignal,
): Promise<WfReply> => {
  let status = 0
  let text = ''
  let isRepeated = false
  try {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json' },
      body,
      signal,
    })
    text = await response.text()
    status = response.status
    isRepeated = !!response.headers?.get('idempotent-replayed')
  } catch {
    // There is no answer, or not all of it.
  }
  return { status, body: recordOf(attempt(() => JSON.parse(text))), isRepeated }
}
