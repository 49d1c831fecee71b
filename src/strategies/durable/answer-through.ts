import { isAnswered, type WfAnswered, type WfRunEvent, type WfRunLink } from '../../state'

/**
 * What the history says of the answer that has used a link up, as far as others may know. By the link of one of
 * several people nothing is told of the others.
 */
export function answerThrough(
  history: readonly WfRunEvent[],
  { pause, seat }: WfRunLink,
): WfAnswered | undefined {
  const later = history.filter(({ seq, detail }) => seq > pause && isOf(seat, detail))
  const end = later.findIndex(({ type }) => type === 'paused')
  const atPause = end === -1 ? later : later.slice(0, end)
  // It may have been answered in vain before, and asked again.
  const { answered } = atPause.findLast(({ detail }) => detail.answered)?.detail ?? {}
  return isAnswered(answered) ? answered : undefined
}

function isOf(seat: string | undefined, { answered, seat: said }: WfRunEvent['detail']): boolean {
  return answered === undefined || said === seat
}
