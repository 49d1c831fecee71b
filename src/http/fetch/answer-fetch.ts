import type { IncomingMessage, ServerResponse } from 'node:http'
import { lookAfter } from '../server-closer'
import { type FetchConnection, FetchRequest } from './fetch-request'
import { FetchResponse } from './fetch-response'

/** What a runtime knows of a `Request`, and does for it. */
export interface FetchOptions extends FetchConnection {
  /** Keeps the runtime from stopping before what goes on behind the answer is done. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
}

/**
 * Has a request answered as if it had come over a connection.
 *
 * @throws the reason of the request's signal; what has broken the answer off before it had a head
 */
export function answerFetch(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  request: Request,
  { waitUntil, ...connection }: FetchOptions,
): Promise<Response> {
  const incoming = new FetchRequest(request, connection)
  const response = new FetchResponse(incoming)
  const { signal } = request
  const leave = () => response.destroy(signal.reason as Error)
  if (waitUntil) lookAfter(incoming.socket, { waitFor: waitUntil })
  signal.addEventListener('abort', leave, { once: true })
  response.once('close', () => signal.removeEventListener('abort', leave))
  if (signal.aborted) leave()
  else handle(incoming, response)
  return response.answer
}
