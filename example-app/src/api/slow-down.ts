import { HttpError, useResponse } from '@atscript/moost-wf/http'

/** The refusal of what comes too often, for the caller to throw. It tells programs when to come back. */
export function slowDown(message: string, waitMs: number): HttpError {
  useResponse().setHeader('retry-after', String(Math.max(1, Math.ceil(waitMs / 1000))))
  return new HttpError(429, message)
}
