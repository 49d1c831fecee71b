import { useLogger } from '@wooksjs/event-core'
import {
  isStepName,
  newFlow,
  notesOf,
  panelIn,
  positionAt,
  type WfDeadlineTimer,
  type WfDescription,
  type WfReminderTimer,
  withNotes,
} from '../state'
import type { WfTriggerDeps } from './deps'
import { keepAlive } from './keep-alive'
import type { OpenRun } from './open-run'
import { remindAgain } from './remind'
import type { RunConfig } from './run-config'

/**
 * Ends a pause that nobody has answered in time.
 *
 * @returns the run, if it goes on at a step; `null` if another was faster
 */
export async function leavePause(
  { clock }: Pick<RunConfig, 'clock'>,
  deps: Pick<WfTriggerDeps, 'describe'>,
  strategyName: string,
  timer: WfDeadlineTimer,
): Promise<OpenRun | undefined | null> {
  const { onTimeout, state } = timer
  const description = deps.describe?.(state.schemaId)
  const indexes = isStepName(onTimeout) ? placeOf(onTimeout, description) : undefined
  if (!indexes || !description) {
    const isOver = await timer.end(isStepName(onTimeout) ? onTimeout : undefined)
    return isOver ? undefined : null
  }
  const { schemaId, context, meta } = state
  const notes = notesOf(state) ?? { flow: newFlow(clock.now()) }
  const { browser, recipient } = notes.pause ?? {}
  // What was said so far is there at the step that it goes on at.
  const asked = panelIn(notes.pause)
  const panel = asked && { ...asked, isOver: true as const }
  const next = withNotes(
    { schemaId, indexes: [...indexes], context },
    {
      flow: notes.flow,
      pause: { strategy: strategyName, browser, recipient, ...(panel && { panel }) },
      position: positionAt(description, indexes),
    },
    meta,
  )
  const claim = await timer.goOn(next)
  if (!claim) return null
  return {
    claim,
    state: claim.state,
    strategyName,
    isNew: false,
    wfid: schemaId,
    notes,
    isUnasked: true,
  }
}

/** A step that there is once. A deploy may have moved it. */
function placeOf(
  onTimeout: string,
  description: WfDescription | undefined,
): readonly number[] | undefined {
  const [place, another] = description?.steps.filter(({ stepId }) => stepId === onTimeout) ?? []
  return another ? undefined : place?.indexes
}

/** Sends the message of a pause again. What fails is tried again later. */
export async function ringReminder(
  config: RunConfig,
  strategyName: string,
  timer: WfReminderTimer,
): Promise<void> {
  try {
    await keepAlive(timer, () => remindAgain(config, strategyName, timer))
  } catch (error) {
    useLogger().error('A reminder could not be sent', error)
  }
}
