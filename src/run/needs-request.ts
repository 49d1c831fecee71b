import { WfError } from '../errors'
import { refusedStatusOf } from './thrown-status'

// What event-core says of a slot that nobody has filled, here that of an HTTP request.
const NO_REQUEST = /^Key "http\./u
const DEEPEST_CAUSE = 5

/** A run that goes on by itself needs whoever has asked for it, or the request that they have sent. */
export class NeedsRequest extends WfError {
  constructor(message = 'This step needs the request of whoever has a link.') {
    super('WF_NEEDS_REQUEST', message)
  }
}

/** Whether a step has asked for an HTTP request where there is none. */
export function isWithoutRequest(error: unknown): boolean {
  let next = error
  for (let depth = 0; depth < DEEPEST_CAUSE && next instanceof Error; depth++) {
    if (NO_REQUEST.test(next.message)) return true
    next = next.cause
  }
  return false
}

/** Whether what a step has thrown may be gone as soon as someone asks: a guard wants to know who. */
export function mayBeAskedFor(error: unknown): boolean {
  const isRefused = refusedStatusOf(error) !== undefined
  return error instanceof NeedsRequest || isRefused || isWithoutRequest(error)
}
