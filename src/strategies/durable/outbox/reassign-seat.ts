import { WfError } from '../../../errors'
import {
  handedOn,
  mayAnswer,
  notesOf,
  panelIn,
  seatOf,
  type WfPeek,
  type WfRecipient,
  type WfStoredRun,
} from '../../../state'
import type { ResolvedDurableOptions } from '../durable-options'
import { goesOn } from '../goes-on'
import { presentFor } from '../is-live'
import { reissueRun } from '../reissue-run'
import { noteOf } from '../run-note'
import type { ResendMessageOptions, ResentMessage } from './resend-message'

/** Who gets the part of somebody who is asked. */
export interface ReassignSeatOptions extends Pick<ResendMessageOptions, 'actor' | 'prepare'> {
  /** Whose part, as `outletEach()` has named it, or the address of the only one who is asked. */
  readonly part: string
  /** The address of whoever has it from now on. */
  readonly to: string
  /** Who must be signed in, where the one before had to be. @default their address */
  readonly user?: string | undefined
  /** Where their code goes, where that of the one before went elsewhere than the link. @default to their address */
  readonly codeTo?: string | undefined
  /** Why, in the history. */
  readonly reason?: string | undefined
}

/**
 * Gives the part of somebody who is asked to somebody else, who gets the same message with a link of their own. The
 * former link is dead.
 *
 * @returns `null` if there is no such run
 * @throws WfError `WF_TRANSITION` if that part is not to be had, `WF_EXPIRED`, `WF_CONFLICT`
 */
export async function reassignSeat(
  options: ResolvedDurableOptions,
  flowId: string,
  { part, to, user = to, codeTo, reason, actor, prepare }: ReassignSeatOptions,
): Promise<ResentMessage | null> {
  const { runs } = options
  const run = await runs.find(flowId)
  if (!run) return null
  if (run.leaseOwner !== undefined) throw goesOn()
  const { seat, recipient } = partToGive(run, part)
  const { outlet, ...said } = await lastMessageTo(options, run, seat, recipient)
  const from = recipient.target
  let next: WfPeek | undefined
  const reissued = await reissueRun(options, flowId, {
    seat,
    actor,
    reassigned: {
      ...(seat !== undefined && { seat }),
      from,
      to,
      ...(reason !== undefined && { reason }),
    },
    admit: found => {
      // They may have answered meanwhile, or given it on themselves.
      const present = partToGive({ ...run, state: found.state }, part)
      if (present.recipient.target !== from) throw goesOn()
      const { expiresAt = Infinity } = found
      if (expiresAt <= runs.clock.now()) {
        throw new WfError(
          'WF_EXPIRED',
          'The link of this person has expired. Extend the run first.',
        )
      }
      return (next = { ...found, state: handedOn(found.state, seat, { target: to, user, codeTo }) })
    },
    message: () => ({ outlet, request: { ...said, outlet, target: to } }),
    prepare: async (handle, until) => void (await prepare?.(handle, until, next!.state, seat)),
    deliver: () => {},
  })
  if (!reissued) throw goesOn()
  return { version: reissued.version }
}

interface PartToGive {
  /** Not there where only one is asked. */
  readonly seat?: string | undefined
  readonly recipient: WfRecipient
}

/** @throws WfError `WF_TRANSITION` */
function partToGive({ state, status, waitsFor }: WfStoredRun, part: string): PartToGive {
  const { pause } = (status === 'paused' && waitsFor === undefined && notesOf(state)) || {}
  const panel = panelIn(pause)
  const seat = panel && seatOf(panel, part)
  if (seat && seat.answer === undefined && mayAnswer(panel, part)) {
    return { seat: part, recipient: seat.recipient }
  }
  const recipient = panel || !pause?.outOfBand ? undefined : pause.recipient
  if (recipient && recipient.target === part) return { recipient }
  throw new WfError('WF_TRANSITION', 'This person is not asked any more, or has answered.')
}

/** What was said to somebody: the seal of the message keeps what nothing else does. */
async function lastMessageTo(
  { queue, runs }: ResolvedDurableOptions,
  { flowId, state }: WfStoredRun,
  seat: string | undefined,
  recipient: WfRecipient,
) {
  const made = presentFor(seat, noteOf(state))
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
