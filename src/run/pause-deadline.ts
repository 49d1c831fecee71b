import { WfError } from '../errors'
import type { WfOutletRequest } from '../outlets'
import {
  checkDeadline,
  isStepName,
  NoSuchStep,
  notesOf,
  type WfDeadline,
  type WfDescription,
  type WfState,
} from '../state'
import type { NamedStrategy } from '../strategies'

/** A pause that is planned. */
interface PlannedPause {
  readonly target: NamedStrategy
  readonly next: WfState
  readonly description: WfDescription | undefined
  readonly now: number
}

/**
 * The deadline of a pause: what it says itself, or else what its step says.
 *
 * @throws WfError `WF_CONFIG` where it cannot be kept, `WF_NO_SUCH_STEP` if it names a step that there is not
 */
export function deadlineOf(
  { deadline: own }: Pick<WfOutletRequest, 'deadline'>,
  { target, next, description, now }: PlannedPause,
): WfDeadline | undefined {
  const notes = notesOf(next)
  const { stepId = '' } = notes?.position ?? {}
  const declared = description?.policyOf?.(stepId)?.deadline
  const options = own ? checkDeadline(own, 'The deadline of a pause') : declared
  if (!options) return undefined
  if (!target.strategy.guarantees?.timers) {
    throw new WfError(
      'WF_CONFIG',
      `A deadline is for durable runs, and the strategy "${target.name}" keeps none: its guarantees.timers is not true.`,
    )
  }
  const since = Math.floor(now)
  const { afterMs = 0, at = since + afterMs, remindEveryMs } = options
  const isAddressed = notes?.pause?.recipient ?? notes?.pause?.panel
  if (remindEveryMs !== undefined && !isAddressed) {
    throw new WfError(
      'WF_CONFIG',
      'A deadline with remindEveryMs is for a pause that was sent to someone: there is nobody to remind.',
    )
  }
  const isKept = options.at === undefined ? true : undefined
  return { at, since, isKept, remindEveryMs, onTimeout: stepOf(options.onTimeout, description) }
}

/** By its whole id, which outlives a deploy. */
function stepOf(onTimeout: string, description: WfDescription | undefined): string {
  if (!isStepName(onTimeout) || !description?.stepIdOf) return onTimeout
  const stepId = description.stepIdOf(onTimeout)
  if (stepId !== undefined) return stepId
  throw new NoSuchStep(
    onTimeout,
    `A deadline goes on at "${onTimeout}", which must be a step of the workflow, once.`,
  )
}
