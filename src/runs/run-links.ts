import { WfError } from '../errors'
import {
  formatToken,
  isSamePause,
  mayAnswer,
  notesOf,
  panelIn,
  recipientAt,
  type WfRecipient,
} from '../state'
import type { RunKeeper } from '../worker'
import { viewOf, type WfRunView } from './run-view'
import type { WfChangeRunOptions } from './wf-runs'

/** A link by which a run can be answered, without what would be needed to do so. */
export interface WfRunLinkView {
  /** `caller`: a form that was shown; `out-of-band`: it was sent to someone. */
  readonly audience: 'caller' | 'out-of-band'
  /** The number of the event with which the pause began, as in messages. */
  readonly pause: number
  readonly recipient?: string | undefined
  /** Whose part it answers, where several people are asked. */
  readonly seat?: string | undefined
  /** It may be over: `extend` brings it back. */
  readonly expiresAt?: number | undefined
  readonly createdAt: number
  /** How often it was shown: by people, and by scanners of mails, which open links as well. */
  readonly opens: number
  readonly openedAt?: number | undefined
}

/** A new link of a run, on its way. */
export interface WfReissuedLink {
  /** What the link carries. It belongs into the link and nowhere else. */
  readonly token: string
  readonly run: WfRunView
  /** The outlet that has delivered the pause. */
  readonly outlet?: string | undefined
  /** Whose turn it is, and what they were sent; not there where a form was shown to the caller alone. */
  readonly recipient?: WfRecipient | undefined
  readonly expiresAt?: number | undefined
}

/** Who sends a link again, and how. */
export interface WfReissueRunOptions extends Pick<WfChangeRunOptions, 'actor'> {
  /**
   * Of several people, the one whose link it is, by their id in `outletEach()`. The links of the others live on.
   * @default the only one who is asked
   */
  readonly person?: string | undefined
  /** If it throws, the former links live, and the new one is dead. */
  readonly deliver: (link: WfReissuedLink) => unknown
}

export async function linksOf(
  { strategy }: RunKeeper,
  flowId: string,
): Promise<readonly WfRunLinkView[]> {
  return (await strategy.manage.linksOf(flowId)).map(
    ({ audience, pause, recipient, seat, expiresAt, createdAt, opens = 0, openedAt }) => ({
      audience,
      pause,
      recipient,
      ...(seat !== undefined && { seat }),
      expiresAt,
      createdAt,
      opens,
      ...(openedAt !== undefined && { openedAt }),
    }),
  )
}

export async function reissue(
  { name, strategy }: RunKeeper,
  flowId: string,
  { person, actor, deliver }: WfReissueRunOptions,
): Promise<number | null> {
  const run = await strategy.runs.find(flowId)
  if (!run) return null
  if (run.leaseOwner !== undefined) throw goesOn()
  const pause = notesOf(run.state)?.pause
  const panel = panelIn(pause)
  if (panel && !mayAnswer(panel, person)) return null
  const recipient = recipientAt(pause, person)
  const reissued = await strategy.reissue(flowId, {
    actor,
    seat: person,
    admit: found => {
      const { expiresAt } = found
      // It may be somebody else's turn by now.
      if (!isSamePause(found.state, run.state)) throw goesOn()
      if (expiresAt === undefined || expiresAt > strategy.runs.clock.now()) return found
      throw new WfError('WF_EXPIRED', 'The link of this run has expired. Extend it first.')
    },
    deliver: async (handle, expiresAt) => {
      const token = formatToken({ name, raw: handle })
      await deliver({ token, run: viewOf(run), outlet: pause?.outlet, recipient, expiresAt })
    },
  })
  return reissued && reissued.version
}

const goesOn = () => new WfError('WF_CONFLICT', 'This run goes on at this moment.')
