import { positionBehind, type WfDescription, type WfState, withNotes } from '../state'
import type { WfTriggerDeps } from './deps'
import type { OpenRun } from './open-run'
import type { RunConfig } from './run-config'

/**
 * How a run is saved between two steps, if its claim can. What is saved says where it goes on by itself:
 * the pause that it came from is over.
 */
export function checkpointOf(
  { onFinished }: Pick<RunConfig, 'onFinished'>,
  { claim, notes, strategyName }: OpenRun,
  deps: Pick<WfTriggerDeps, 'describe'>,
): ((state: WfState) => Promise<void>) | undefined {
  if (!claim.checkpoint) return undefined
  const { meta } = claim.state
  return async ({ schemaId, indexes, context }) => {
    const description = deps.describe?.(schemaId)
    const position = positionBehind(description, indexes)
    // A flow that is bound to a browser stays bound to it, and it is the same person's turn.
    const { browser, recipient } = notes.pause ?? {}
    const pause = { strategy: strategyName, browser, recipient }
    const saved = { schemaId, indexes, context }
    const noted = withNotes(saved, { flow: notes.flow, pause, position }, meta)
    // What an application does at the end is told of steps that are saved.
    await claim.checkpoint?.(noted, { isLast: !onFinished && isEnd(description, indexes) })
  }
}

/** Whether this is right behind a workflow whose last item is a step without a condition. */
function isEnd(description: WfDescription | undefined, indexes: readonly number[]): boolean {
  const last = description?.steps.at(-1)?.indexes
  return last?.length === 1 && indexes.length === 1 && indexes[0] === last[0]! + 1
}
