import { WfError } from '../../errors'
import {
  jsonCopy,
  notesOf,
  sha256,
  type WfHeldRun,
  type WfReissued,
  type WfReissueOptions,
  type WfRunEvent,
  type WfRunLink,
  type WfRunStore,
  type WfStoredRun,
} from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import { noteOf, withoutRunNote, withRunNote } from './run-note'

/**
 * Links belong to the event with which their pause began. A pause that has a new link begins anew, so the
 * former ones are dead by that.
 *
 * @see WfStateStrategy.reissue
 */
export async function reissueRun(
  { runs, generateHandle }: ResolvedDurableOptions,
  flowId: string,
  { admit, deliver }: WfReissueOptions,
): Promise<WfReissued | null> {
  const run = await runs.find(flowId)
  const note = run ? noteOf(run.state) : {}
  if (run?.status !== 'paused' || run.leaseOwner !== undefined || note.pause === undefined) {
    return null
  }
  const link = (await runs.links(flowId)).findLast(({ pause }) => pause === note.pause)
  const next = admit({ state: withoutRunNote(run.state), expiresAt: link?.expiresAt })
  if (!next) return null
  const handle = generateHandle()
  const hash = await sha256(handle)
  const { expiresAt } = next
  const pause = run.version + 1
  const recipient = notesOf(next.state)?.pause?.recipient?.target
  const { answer, dueAt, stepId } = run
  const written = await runs.commit(
    { run },
    {
      events: [{ type: 'reissued', stepId }],
      state: withRunNote(jsonCopy(next.state), { ...note, pause }),
      links: [{ hash, pause, audience: 'out-of-band', recipient, expiresAt }],
      answer,
      dueAt,
    },
  )
  if (!written) throw new WfError('WF_CONFLICT', 'This run goes on at this moment.')
  try {
    await deliver(handle, expiresAt)
  } catch (error) {
    await takeBack(runs, written, run)
    throw error
  }
  return {}
}

/** Unless the new link was used already, the run stands at the pause that it had. */
async function takeBack(runs: WfRunStore, written: WfHeldRun, former: WfStoredRun): Promise<void> {
  const { state, answer, dueAt, stepId } = former
  await runs.commit(written, { events: [{ type: 'undelivered', stepId }], state, answer, dueAt })
}

/**
 * Whether a link that is dead was replaced by another of the same pause, at which the run still waits.
 *
 * @param present the number of the run's present pause
 */
export function isReplaced(
  history: readonly WfRunEvent[],
  { pause }: Pick<WfRunLink, 'pause'>,
  present: number | undefined,
): boolean {
  if (present === undefined || present <= pause) return false
  const isUndone = ({ seq }: WfRunEvent) =>
    history.some(later => later.seq === seq + 1 && later.type === 'undelivered')
  const isOver = history.some(
    event => event.seq > pause && event.type === 'paused' && !isUndone(event),
  )
  return !isOver && history.some(({ seq, type }) => seq === present && type === 'reissued')
}
