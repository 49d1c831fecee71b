import {
  jsonCopy,
  notesOf,
  recipientAt,
  sha256,
  type WfReassigned,
  type WfReissued,
  type WfReissueOptions,
  type WfRunStore,
} from '../../state'
import { deliverOrUndo } from '../claim/deliver-or-undo'
import type { ResolvedDurableOptions } from './durable-options'
import { giveUpAt } from './give-up-at'
import { goesOn } from './goes-on'
import { presentFor } from './is-live'
import { liveLinks } from './live-links'
import type { DraftedMessage } from './outbox/message-queue'
import { noteOf, type RunNote, withoutRunNote, withRunNote } from './run-note'
import { dueAtOf } from './timer-note'

/** How the pause of a run gets a new link. */
export interface ReissueRunOptions extends WfReissueOptions {
  /** Who does it, in the history. */
  readonly actor?: string | undefined
  /** Somebody else gets it, who takes the part over. */
  readonly reassigned?: WfReassigned | undefined
}

/** A run whose pause has got a new link. */
export interface ReissuedRun extends WfReissued {
  readonly version: number
}

const CODE = 'WF_OUTLET_FAILED'

/**
 * Links belong to the event with which their pause began. A pause that has a new link begins anew, so the
 * former ones are dead by that.
 *
 * @see WfStateStrategy.reissue
 */
export async function reissueRun(
  options: ResolvedDurableOptions,
  flowId: string,
  { admit, deliver, message, prepare, actor, seat, reassigned }: ReissueRunOptions,
): Promise<ReissuedRun | null> {
  const { runs, generateHandle, queue, seal } = options
  const run = await runs.find(flowId)
  const note = run ? noteOf(run.state) : {}
  if (run?.status !== 'paused' || run.leaseOwner !== undefined || note.pause === undefined) {
    return null
  }
  // Of a pause that asks several people, one part has a new link, or none.
  if (note.seats ? presentFor(seat, note) === undefined : seat !== undefined) return null
  // An answer that was accepted is that of whoever had the link, also while nobody has gone on with it yet.
  const accepted = await seal.openRequest(flowId, run.answer)
  if (seat !== undefined && accepted.answer?.seat === seat) throw goesOn()
  const live = liveLinks(await runs.links(flowId), note)
  const former = live.find(link => link.seat === seat)
  const next = admit({ state: withoutRunNote(run.state), expiresAt: former?.expiresAt, seat })
  if (!next) return null
  const { expiresAt } = next
  const made = run.version + 1
  const { target } = recipientAt(notesOf(next.state)?.pause, seat) ?? {}
  const recipient = target ?? former?.recipient
  const audience = former?.audience ?? 'out-of-band'
  const { answer, dueAt, stepId } = run
  const kept = { actor, answer, dueAt }
  const reissued: RunNote =
    seat === undefined
      ? { ...note, pause: made, giveUpAt: giveUpAt(options, expiresAt) }
      : { ...note, seats: { ...note.seats, [seat]: made } }
  const type = reassigned ? 'reassigned' : 'reissued'
  const detail = reassigned ? { ...reassigned } : seat === undefined ? undefined : { seat }
  const write = async (handle: string, drafted?: DraftedMessage) => {
    const hash = await sha256(handle)
    const link = { hash, pause: made, audience, recipient, expiresAt, ...(seat && { seat }) }
    const written = await runs.commit(
      { run },
      {
        ...kept,
        events: [{ type, stepId, detail }],
        state: withRunNote(jsonCopy(next.state), reissued),
        // What was answered is gone on with, whenever that was to be.
        dueAt: answer === undefined ? dueAtOf(reissued) : (dueAt ?? reissued.giveUpAt),
        links: [link],
        messages: drafted && [drafted.at(made)],
      },
    )
    if (!written) throw goesOn()
    return written
  }
  if (queue && message) {
    const announced = { flowId, message: await message(next), expiresAt, prepare }
    const { version } = (
      await queue.announce({ ...announced, write: drafted => write(drafted.handle, drafted) })
    ).run
    return { version }
  }
  const handle = generateHandle()
  const paused = await deliverOrUndo({
    write: () => write(handle),
    deliver: async written => {
      await deliver(handle, expiresAt)
      return written.run
    },
    // Unless the new link was used already, the run stands at the pause that it had.
    kill: async written => {
      const events = [{ type: 'undelivered', stepId, detail: { code: CODE } }] as const
      const lastError = { code: CODE, at: Math.floor(runs.clock.now()) }
      // What waited to be sent for the former pause may have been dropped meanwhile.
      const sendAgain = await droppedAt(runs, flowId, presentFor(seat, note))
      const undone = { ...kept, events, state: run.state, lastError, sendAgain }
      return (await runs.commit(written, undone)) !== null
    },
    restore: () => {},
  })
  if (paused.outcome === 'stands') throw paused.error
  return paused.outcome === 'delivered' ? { version: paused.delivered.version } : null
}

async function droppedAt({ outbox }: WfRunStore, flowId: string, pause: number | undefined) {
  const messages = (await outbox?.of(flowId)) ?? []
  const dropped = messages.filter(one => one.pause === pause && one.status === 'dropped')
  return outbox && dropped.map(({ messageId }) => messageId)
}
