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
  options?: Pick<WfOutletRequest, 'keepToken' | 'deadline'>,
): WfOutletPause {
  return { inputRequired: { outlet: 'http', payload, context, ...options } }
}

/**
 * Pauses the workflow and sends the token by mail. The caller only learns that a mail was sent.
 *
 * With a `form`, whoever opens the link sees that form, and the link is used by the answer to it: then
 * the step runs again. Without one it is used, and the step runs again, when the link is opened: let it
 * note that it has sent the mail.
 *
 * @example
 * ```ts
 * import { outletEmail, Step, WfInput, WorkflowParam, type WfForm } from '@atscript/moost-wf'
 *
 * declare const AcceptForm: WfForm & (new () => { name: string })
 *
 * class Invite {
 *   @Step('accept')
 *   accept(
 *     @WorkflowParam('context') ctx: { email: string; name?: string },
 *     @WfInput({ form: AcceptForm, ask: false }) input?: { name: string },
 *   ) {
 *     if (!input) return outletEmail(ctx.email, 'invite', {}, { form: AcceptForm })
 *     ctx.name = input.name
 *   }
 * }
 * ```
 */
export function outletEmail(
  target: string,
  template: string,
  context?: Context,
  options: Pick<
    WfOutletRequest,
    'link' | 'form' | 'showContext' | 'usedNote' | 'watch' | 'code' | 'fresh' | 'deadline'
  > = {},
): WfOutletPause {
  return outlet('email', { target, template, context, ...options })
}
