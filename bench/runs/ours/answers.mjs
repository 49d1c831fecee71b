/** The token of a run that waits. */
export function pausedAt(result) {
  if (result.kind === 'paused') return result.token
  throw new Error(`A start has ${result.kind}.`)
}

/** What a run that was answered came to. */
export function answerOf(result) {
  if (result.kind === 'finished' && result.data.data.approved) return result.data
  throw new Error(`An answer has ${result.kind}.`)
}
