import type { WfOutletRequest } from './wf-outlet'

/** What a step returns to pause. */
export interface WfOutletPause {
  inputRequired: WfOutletRequest
}

type Context = Readonly<Record<string, unknown>>

/**
 * Pauses the workflow and delivers the pause through an outlet of yours.
 *
 * @example
 * ```ts
 * import { outlet, Step } from '@atscript/moost-wf'
 *
 * class Approval {
 *   @Step('decide')
 *   decide() {
 *     return outlet('sms', { target: '+43 1 234', payload: { form: 'decide' } })
 *   }
 * }
 * ```
 */
export function outlet(name: string, request: Omit<WfOutletRequest, 'outlet'> = {}): WfOutletPause {
  return { inputRequired: { ...request, outlet: name } }
}

/**
 * Pauses the workflow and answers the caller.
 *
 * @example
 * ```ts
 * import { outletHttp, Step, WorkflowParam } from '@atscript/moost-wf'
 *
 * class Login {
 *   @Step('code')
 *   code(@WorkflowParam('input') input?: { code: string }) {
 *     if (!input) return outletHttp({ form: 'code' })
 *   }
 * }
 * ```
 */
export function outletHttp(
  payload: unknown,
  context?: Context,
  options?: Pick<WfOutletRequest, 'keepToken'>,
): WfOutletPause {
  return { inputRequired: { outlet: 'http', payload, context, ...options } }
}

/**
 * Pauses the workflow and sends the token by mail. The caller only learns that a mail was sent.
 *
 * The step runs again when the link is used: let it note that it has sent the mail.
 *
 * @example
 * ```ts
 * import { outletEmail, Step, WorkflowParam } from '@atscript/moost-wf'
 *
 * class Invite {
 *   @Step('send')
 *   send(@WorkflowParam('context') ctx: { email: string; isMailed?: boolean }) {
 *     if (ctx.isMailed) return
 *     ctx.isMailed = true
 *     return outletEmail(ctx.email, 'invite')
 *   }
 * }
 * ```
 */
export function outletEmail(
  target: string,
  template: string,
  context?: Context,
  options: Pick<WfOutletRequest, 'link'> = {},
): WfOutletPause {
  return outlet('email', { target, template, context, ...options })
}
