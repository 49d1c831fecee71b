import { WfError, type WfErrorCode } from '../errors'

/** A request that is answered with a sentence. Thrown by the handlers, caught once at the top. */
export class AdminRefusal extends WfError {
  constructor(
    readonly status: number,
    code: WfErrorCode,
    message: string,
    /** What the body says besides. */
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(code, message, options)
  }
}

export const badRequest = (message: string): AdminRefusal =>
  new AdminRefusal(400, 'WF_BAD_REQUEST', message)

/** For text that no table can hold, and that some fail on. */
export const unstorable = (what: string): AdminRefusal =>
  badRequest(`${what} holds a character that cannot be kept: NUL, or half of one.`)

export const noSuchFlow = (): AdminRefusal =>
  new AdminRefusal(404, 'WF_UNKNOWN', 'There is no such flow. It may have gone on, or ended.')
