import type { WfRunLinkView, WfRunMessageView } from '../../runs'
import type { WfAdminRunMessage } from './run-answers'

/**
 * What may be shown of a message.
 *
 * @param links those by which its run can be answered now
 */
export function toAdminMessage(
  message: WfRunMessageView,
  links: readonly WfRunLinkView[],
): WfAdminRunMessage {
  const { messageId, pause, outlet, status, attempts, createdAt } = message
  return {
    messageId,
    pause,
    outlet,
    recipient: message.recipient ?? null,
    status,
    attempts,
    nextAttemptAt: message.nextAttemptAt ?? null,
    lastError: message.lastError ?? null,
    createdAt,
    settledAt: message.settledAt ?? null,
    isAwaited: links.some(link => link.pause === pause),
  }
}
