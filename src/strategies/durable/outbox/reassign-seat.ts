import { WfError } from '../../../errors'
import {
  handedOn,
  mayAnswer,
  notesOf,
  panelIn,
  seatOf,
  type WfPeek,
  type WfSeat,
  type WfStoredRun,
} from '../../../state'
import type { ResolvedDurableOptions } from '../durable-options'
import { goesOn } from '../goes-on'
import { presentFor } from '../is-live'
import { reissueRun } from '../reissue-run'
import { noteOf } from '../run-note'
import type { ResendMessageOptions, ResentMessage } from './resend-message'

/** Who gets the part of one of several people. */
export interface ReassignSeatOptions extends Pick<ResendMessageOptions, 'actor' | 'prepare'> {
  /** Whose part, as `outletEach()` has named it. */
  readonly seat: string
  /** The address of whoever has it from now on. */
  readonly to: string
  /** Who must be signed in, where the one before had to be. @default their address */
  readonly user?: string | undefined
  /** Why, in the history. */
  readonly reason?: string | undefined
}

/**
 * Gives the part of one of several people to somebody else, who gets the same message with a link of their own. The
 * former link is dead.
 *
 * @returns `null` if there is no such run
 * @throws WfError `WF_TRANSITION` if that part is not to be had, `WF_EXPIRED`, `WF_CONFLICT`
 */
export async function reassignSeat(
  options: ResolvedDurableOptions,
  flowId: string,
  { seat: id, to, user = to, reason, actor, prepare }: ReassignSeatOptions,
): Promise<ResentMessage | null> {
  const { runs } = options
  const run = await runs.find(flowId)
  if (!run) return null
  if (run.leaseOwner !== undefined) throw goesOn()
  const seat = seatToGive(run, id)
  const { outlet, ...said } = await lastMessageTo(options, run, seat)
  const from = seat.recipient.target
  let next: WfPeek | undefined
  const reissued = await reissueRun(options, flowId, {
    seat: id,
    actor,
    reassigned: { seat: id, from, to, ...(reason !== undefined && { reason }) },
    admit: found => {
      // They may have answered meanwhile, or given it on themselves.
      const { recipient } = seatToGive({ ...run, state: found.state }, id)
      if (recipient.target !== from) throw goesOn()
      const { expiresAt = Infinity } = found
      if (expiresAt <= runs.clock.now()) {
        throw new WfError(
          'WF_EXPIRED',
          'The link of this person has expired. Extend the run first.',
        )
      }
      return (next = { ...found, state: handedOn(found.state, id, { target: to, user }) })
    },
    message: () => ({ outlet, request: { ...said, outlet, target: to } }),
    prepare: async (handle, until) => void (await prepare?.(handle, until, next!.state, id)),
    deliver: () => {},
  })
  if (!reissued) throw goesOn()
  return { version: reissued.version }
}

/** @throws WfError `WF_TRANSITION` */
function seatToGive({ state, status }: WfStoredRun, id: string): WfSeat {
  const panel = status === 'paused' ? panelIn(notesOf(state)?.pause) : undefined
  const seat = panel && seatOf(panel, id)
  if (seat && seat.answer === undefined && mayAnswer(panel, id)) return seat
  throw new WfError('WF_TRANSITION', 'This person is not asked any more, or has answered.')
}

/** What was said to somebody: the seal of the message keeps what nothing else does. */
async function lastMessageTo(
  { queue, runs }: ResolvedDurableOptions,
  { flowId, state }: WfStoredRun,
  { id, recipient }: WfSeat,
) {
  const made = presentFor(id, noteOf(state))
  const messages = (await runs.outbox?.of(flowId)) ?? []
  const last = messages.findLast(
    message => message.pause === made && message.recipient === recipient.target,
  )
  const content = last && (await queue?.read(last))
  return {
    ...content?.request,
    ...recipient,
    context: content?.request.context ?? recipient.context,
  }
}
