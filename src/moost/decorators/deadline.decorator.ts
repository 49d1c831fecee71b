import { checkDeadline, type WfDeadlineOptions } from '../../state'
import { getWfMate } from '../wf-metadata'

/**
 * Until when each pause of this step waits, and what happens then, unless the pause says so itself: reminders
 * to whoever has got its message, then another step, or the end. Only durable runs can; elsewhere the pause
 * is refused.
 *
 * @throws WfError `WF_CONFIG` for wrong options
 *
 * @example
 * ```ts
 * import { Deadline, outletEmail, Step, WfInput, WorkflowParam, type WfForm } from '@atscript/moost-wf'
 *
 * declare const DecideForm: WfForm & (new () => { decision: string })
 * const DAY_MS = 24 * 60 * 60_000
 *
 * class Approval {
 *   @Step('decide')
 *   @Deadline({ afterMs: 7 * DAY_MS, remindEveryMs: 2 * DAY_MS, onTimeout: 'escalate' })
 *   decide(
 *     @WorkflowParam('context') ctx: { boss: string; decision?: string },
 *     @WfInput({ form: DecideForm, ask: false }) input?: { decision: string },
 *   ) {
 *     if (!input) return outletEmail(ctx.boss, 'decide', {}, { form: DecideForm })
 *     ctx.decision = input.decision
 *   }
 *
 *   @Step('escalate')
 *   escalate() {
 *     return outletEmail('board@example.com', 'escalated')
 *   }
 * }
 * ```
 */
export const Deadline = (options: WfDeadlineOptions): MethodDecorator =>
  getWfMate().decorate('wfDeadline', checkDeadline(options, '@Deadline'))
