import type { WfRunMessageView } from '../../runs'
import type { WfAdminRunMessage } from './run-answers'

/** What may be shown of a message. */
export function toAdminMessage(message: WfRunMessageView): WfAdminRunMessage {
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
  }
}
