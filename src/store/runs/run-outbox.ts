import { WfError } from '../../errors'
import type {
  WfMessageStatus,
  WfPutOffMessage,
  WfRunChange,
  WfRunMessage,
  WfRunOutbox,
} from '../../state'
import { wholeTime } from '../rows/expiry'
import type { WfTable } from '../rows/wf-table'
import type { ResolvedRunStoreOptions } from './as-wf-run-store-options'
import { canBeKey, isInScope } from './find-runs'
import type { PlannedChange } from './plan-change'
import { messageOf, type Row } from './run-row'
import type { RunTables } from './run-tables'

/** The parts of a commit that are about messages. */
export function messageWrites(
  { outbox, space }: Pick<ResolvedRunStoreOptions, 'outbox' | 'space'>,
  { run: { flowId, updatedAt: queuedAt }, messages }: PlannedChange,
  { sendAgain = [] }: WfRunChange,
): object[] {
  if (messages.length === 0 && sendAgain.length === 0) return []
  if (!outbox) throw noOutbox()
  const dueAt = space.now()
  const filter = { flowId, messageId: { $in: [...sendAgain] } }
  return [
    { insert: outbox.type, rows: messages.map(message => ({ ...message, dueAt })) },
    ...(sendAgain.length > 0
      ? [{ update: outbox.type, filter, patch: { ...AGAIN, queuedAt, dueAt } }]
      : []),
  ]
}

/** What was tried before does not count. */
const AGAIN = { status: 'waiting', attempts: 0, settledAt: null, lastError: null } as const

export function noOutbox(): WfError {
  return new WfError('WF_CONFIG', 'These runs have no outbox: there is no table for messages.')
}

/** Messages in a table of their own. */
export class RunOutbox implements WfRunOutbox {
  readonly #tables: RunTables
  readonly #messages: WfTable

  constructor(tables: RunTables, messages: WfTable) {
    this.#tables = tables
    this.#messages = messages
  }

  async due(limit: number): Promise<readonly WfRunMessage[]> {
    const filter = { dueAt: { $lte: this.#tables.options.space.now() } }
    const controls = { $sort: { dueAt: 1 }, $limit: limit }
    const rows = await this.#messages.findMany({ filter, controls })
    return rows.map(row => messageOf(row as Row))
  }

  async nextDue(withinMs: number): Promise<number | undefined> {
    const filter = { dueAt: { $lte: this.#tables.options.space.now(withinMs) } }
    const controls = { $sort: { dueAt: 1 }, $limit: 1, $select: ['dueAt'] }
    const [next] = (await this.#messages.findMany({ filter, controls })) as { dueAt?: number }[]
    return next?.dueAt
  }

  async find(messageId: string, { everywhere = false } = {}): Promise<WfRunMessage | null> {
    if (!canBeKey(messageId)) return null
    const row = await this.#messages.findOne({ filter: { messageId } })
    const message = row && messageOf(row as Row)
    if (!message || everywhere) return message
    return (await isInScope(this.#tables, message.flowId)) ? message : null
  }

  async of(flowId: string): Promise<readonly WfRunMessage[]> {
    if (!(await isInScope(this.#tables, flowId))) return []
    const controls = { $sort: { pause: 1, createdAt: 1 } }
    const rows = await this.#messages.findMany({ filter: { flowId }, controls })
    return rows.map(row => messageOf(row as Row))
  }

  async claim(message: WfRunMessage, ms: number): Promise<WfRunMessage | null> {
    const { space } = this.#tables.options
    const { messageId, claimSeq } = message
    const next = { claimSeq: claimSeq + 1, attempts: message.attempts + 1 }
    const filter = { messageId, claimSeq, status: 'waiting', dueAt: { $lte: space.now() } }
    const isTaken = await this.#write(filter, { ...next, dueAt: space.now(ms) })
    return isTaken ? { ...message, ...next } : null
  }

  settle(
    { messageId, claimSeq }: WfRunMessage,
    status: Exclude<WfMessageStatus, 'waiting'>,
    lastError?: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    const filter =
      status === 'sent'
        ? { messageId, status: { $in: ['waiting', 'undelivered'] } }
        : { messageId, claimSeq, status: 'waiting' }
    const settledAt = wholeTime(this.#tables.options.clock)
    return this.#write(filter, { status, settledAt, dueAt: null, lastError: lastError ?? null })
  }

  putOff(
    { messageId, claimSeq, attempts }: WfRunMessage,
    ms: number,
    { lastError, isUncounted }: WfPutOffMessage = {},
  ): Promise<boolean> {
    const { space } = this.#tables.options
    const filter = { messageId, claimSeq, status: 'waiting' }
    const patch = { dueAt: space.now(ms), lastError: lastError ?? null }
    return this.#write(filter, isUncounted ? { ...patch, attempts: attempts - 1 } : patch)
  }

  async #write(filter: object, patch: object): Promise<boolean> {
    return (await this.#messages.updateMany(filter, patch)).matchedCount > 0
  }
}
