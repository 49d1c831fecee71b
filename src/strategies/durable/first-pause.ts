import {
  isEnd,
  isRecord,
  type WfFirstPause,
  type WfOutletMessage,
  type WfRunStore,
} from '../../state'

/** What the history tells of how a pause was announced. */
export function announcementOf(message: WfOutletMessage | undefined, isQueued: boolean): object {
  if (!message) return {}
  const { outlet, request } = message
  const { watch, code, link } = isRecord(request) ? request : {}
  return {
    outlet,
    ...(watch === false && { isUnwatched: true }),
    ...(code === true && { hasCode: true }),
    ...(link === 'sameBrowser' && { isBound: true }),
    ...(isQueued && { isQueued }),
  }
}

const FOR_NOBODY: Omit<WfFirstPause, 'tookMs'> = {
  audience: 'nobody',
  outlet: '',
  isWatched: false,
  hasCode: false,
  isBound: false,
  isQueued: false,
}

/**
 * How a run has paused for the first time.
 *
 * @returns `undefined` if it has not, `null` if it has ended or is not there
 */
export async function firstPauseOf(
  runs: WfRunStore,
  flowId: string,
): Promise<WfFirstPause | undefined | null> {
  const run = await runs.find(flowId)
  if (!run || isEnd(run.status)) return null
  const history = await runs.history(flowId)
  const paused = history.find(({ type }) => type === 'paused' || type === 'delayed')
  if (!paused) return undefined
  const { seq, type, at, detail } = paused
  const tookMs = at - history[0]!.at
  if (type === 'delayed' || detail.waitsFor !== undefined) return { ...FOR_NOBODY, tookMs }
  const link = (await runs.links(flowId)).find(({ pause }) => pause === seq)
  const { outlet, isUnwatched, hasCode, isBound, isQueued } = detail
  if (!link || typeof outlet !== 'string') return undefined
  const { audience, expiresAt, createdAt } = link
  return {
    audience,
    outlet,
    ttlMs: expiresAt === undefined ? undefined : expiresAt - createdAt,
    isWatched: isUnwatched !== true,
    hasCode: hasCode === true,
    isBound: isBound === true,
    isQueued: isQueued === true,
    tookMs,
  }
}
