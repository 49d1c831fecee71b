import { findRunScope } from './run-scope'

/**
 * The action that the client has named, such as a button beside the submit button. There is none
 * outside of a workflow that a request runs.
 *
 * @example
 * ```ts
 * import { outletHttp, Step, useWfAction } from '@atscript/moost-wf'
 *
 * class Code {
 *   @Step('code')
 *   code() {
 *     const resend = useWfAction().getAction() === 'resend'
 *     return outletHttp({ form: 'code', resent: resend })
 *   }
 * }
 * ```
 */
export function useWfAction() {
  const scope = findRunScope()
  return { getAction: (): string | undefined => scope?.action }
}
