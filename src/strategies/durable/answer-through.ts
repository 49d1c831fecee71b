import { isAnswered, type WfAnswered, type WfRunLink, type WfRunStore } from '../../state'

/** What the history says of the answer that has used a link up, as far as others may know. */
export async function answerThrough(
  runs: WfRunStore,
  { flowId, pause }: WfRunLink,
): Promise<WfAnswered | undefined> {
  const later = (await runs.history(flowId)).filter(({ seq }) => seq > pause)
  const end = later.findIndex(({ type }) => type === 'paused')
  const atPause = end === -1 ? later : later.slice(0, end)
  // It may have been answered in vain before, and asked again.
  const { answered } = atPause.findLast(({ detail }) => detail.answered)?.detail ?? {}
  return isAnswered(answered) ? answered : undefined
}
