import type { WfRunLinkView, WfRunMessageView, WfRunView } from '../../runs'
import type { WfAdminRunMessage } from './run-answers'

/**
 * What may be shown of a message.
 *
 * @param links those by which its run can be answered now
 * @param run whom it asks, and who of them has answered
 */
export function toAdminMessage(
  message: WfRunMessageView,
  links: readonly WfRunLinkView[],
  { asked }: Pick<WfRunView, 'asked'>,
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
    opens: message.opens,
    openedAt: message.openedAt ?? null,
    isAwaited: links.some(link => isFor(message, link) && !hasAnswered(asked, link)),
  }
}

/** Of several people, each has a message of their own. */
function isFor({ pause, recipient }: WfRunMessageView, link: WfRunLinkView): boolean {
  return link.pause === pause && (link.seat === undefined || link.recipient === recipient)
}

function hasAnswered(asked: WfRunView['asked'], { seat }: WfRunLinkView): boolean {
  const person = asked?.people.find(({ id }) => id === seat)
  return person?.answeredAt !== undefined
}
