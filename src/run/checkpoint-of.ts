import { positionBehind, type WfState, withNotes } from '../state'
import type { WfTriggerDeps } from './deps'
import type { OpenRun } from './open-run'

/**
 * How a run is saved between two steps, if its claim can. What is saved says where it goes on by itself:
 * the pause that it came from is over.
 */
export function checkpointOf(
  { claim, notes, strategyName }: OpenRun,
  deps: Pick<WfTriggerDeps, 'describe'>,
): ((state: WfState) => Promise<void>) | undefined {
  if (!claim.checkpoint) return undefined
  const { meta } = claim.state
  return async ({ schemaId, indexes, context }) => {
    const position = positionBehind(deps.describe?.(schemaId), indexes)
    // A flow that is bound to a browser stays bound to it, and it is the same person's turn.
    const { browser, recipient } = notes.pause ?? {}
    const pause = { strategy: strategyName, browser, recipient }
    const saved = { schemaId, indexes, context }
    await claim.checkpoint?.(withNotes(saved, { flow: notes.flow, pause, position }, meta))
  }
}
