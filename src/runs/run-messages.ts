import type { WfMessageStatus, WfRunEvent, WfRunLink, WfRunMessage, WfRunStore } from '../state'

/** A message that announces a pause, without what it says. */
export interface WfRunMessageView {
  readonly messageId: string
  /** The number of the event with which the pause began. */
  readonly pause: number
  /** The outlet that it goes by. */
  readonly outlet: string
  readonly recipient?: string | undefined
  /**
   * `dropped`: the pause was over before it could be sent. `undelivered`: nobody has taken it, however often
   * it was tried.
   */
  readonly status: WfMessageStatus
  /** How often it was tried to deliver it. */
  readonly attempts: number
  /** When it is tried again, or, while it is on its way, if nothing is heard of that. */
  readonly nextAttemptAt?: number | undefined
  /** Codes, never texts of what has failed. */
  readonly lastError?: Readonly<Record<string, unknown>> | undefined
  readonly createdAt: number
  /** Since when it waits no more. */
  readonly settledAt?: number | undefined
  /** How often its link was shown: by people, and by scanners of mails, which open links as well. */
  readonly opens: number
  readonly openedAt?: number | undefined
}

/** The messages of a run, the oldest first. */
export async function messagesOf(
  runs: WfRunStore,
  flowId: string,
): Promise<readonly WfRunMessageView[]> {
  const messages = (await runs.outbox?.of(flowId)) ?? []
  const links = messages.length > 0 ? await runs.links(flowId) : []
  return messages.map(message => {
    const { messageId, pause, outlet, recipient, status, attempts } = message
    const { dueAt: nextAttemptAt, lastError, createdAt, settledAt } = message
    const about = { messageId, pause, outlet, recipient, status, attempts }
    const { opens = 0, openedAt } = linkOf(message, links) ?? {}
    const opened = { opens, ...(openedAt !== undefined && { openedAt }) }
    return { ...about, nextAttemptAt, lastError, createdAt, settledAt, ...opened }
  })
}

/** The link that a message carries: the last one to its recipient that was there when it was written. */
function linkOf(
  { pause, recipient, createdAt }: WfRunMessage,
  links: readonly WfRunLink[],
): WfRunLink | undefined {
  return links
    .filter(link => link.pause === pause && link.recipient === recipient)
    .filter(link => link.createdAt <= createdAt)
    .toSorted((one, other) => one.createdAt - other.createdAt)
    .at(-1)
}

/**
 * The history of a run, with what became of its messages. That is no event of the run, which may be answered
 * at the same moment: it has the number of the pause that the message announces.
 */
export async function historyOf(runs: WfRunStore, flowId: string): Promise<readonly WfRunEvent[]> {
  const events = await runs.history(flowId)
  const messages = (await runs.outbox?.of(flowId)) ?? []
  const all = [...events]
  for (const outcome of messages.flatMap(message => outcomeOf(message, events))) {
    const behind = all.findIndex(({ seq, at }) => seq > outcome.seq && at > outcome.at)
    all.splice(behind === -1 ? all.length : behind, 0, outcome)
  }
  return all
}

function outcomeOf(
  { flowId, pause: seq, status, messageId, attempts, settledAt: at, lastError }: WfRunMessage,
  [first]: readonly WfRunEvent[],
): WfRunEvent[] {
  if (status === 'waiting' || at === undefined || !first) return []
  const { code } = lastError ?? {}
  const detail = { messageId, attempts, ...(code !== undefined && { code }) }
  return [{ flowId, seq, schemaId: first.schemaId, type: status, at, detail }]
}
