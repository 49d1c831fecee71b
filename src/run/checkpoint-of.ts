import { positionAt, positionBehind, type WfDescription, whenKnown, withNotes } from '../state'
import type { WfTriggerDeps } from './deps'
import type { OpenRun } from './open-run'
import type { RunConfig } from './run-config'
import { HandedOn } from './run-term'
import type { RunHooks } from './run-scope'

/**
 * How a run is saved between two steps, if its claim can. What is saved says where it goes on by itself:
 * the pause that it came from is over.
 */
export function checkpointOf(
  { onFinished }: Pick<RunConfig, 'onFinished'>,
  { claim, notes, strategyName, term }: OpenRun,
  deps: Pick<WfTriggerDeps, 'describe'>,
): RunHooks['checkpoint'] {
  if (!claim.checkpoint) return undefined
  const { meta } = claim.state
  return ({ schemaId, indexes, context }, { stepId, isLast = false } = {}) => {
    const description = deps.describe?.(schemaId)
    const position =
      stepId === undefined ? positionBehind(description, indexes) : positionAt(description, indexes)
    // A flow that is bound to a browser stays bound to it, and it is the same person's turn.
    const { browser, recipient } = notes.pause ?? {}
    const pause = { strategy: strategyName, browser, recipient }
    const saved = { schemaId, indexes, context }
    const noted = withNotes(saved, { flow: notes.flow, pause, position }, meta)
    // What an application does at the end is told of steps that are saved.
    const isBehindLast = isLast || isBehindAll(description, indexes)
    const isEnd = !onFinished && isBehindLast
    const isHandedOn = !isBehindLast && term?.isOver()
    const saving = claim.checkpoint!(noted, { stepId, isLast: isEnd, isHandedOn })
    return isHandedOn ? whenKnown(saving, handOn) : saving
  }
}

function handOn(): never {
  throw new HandedOn('The time for this run is over.')
}

/** Whether this is right behind a workflow whose last item is a step without a condition. */
function isBehindAll(description: WfDescription | undefined, indexes: readonly number[]): boolean {
  const last = description?.steps.at(-1)?.indexes
  return last?.length === 1 && indexes.length === 1 && indexes[0] === last[0]! + 1
}
