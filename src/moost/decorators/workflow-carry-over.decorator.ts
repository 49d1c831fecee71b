import { WfError } from '../../errors'
import type { WfCarryOver } from '../../state'
import { getWfMate } from '../wf-metadata'

/**
 * What a fresh flow keeps of an expired one: keys of the context that the user has typed, such as an
 * address, so that nobody types them twice. Never name a key that a step has verified: a fresh flow
 * verifies anew.
 *
 * @throws WfError `WF_CONFIG` for wrong options
 *
 * @example
 * ```ts
 * import { Workflow, WorkflowCarryOver, WorkflowSchema } from '@atscript/moost-wf'
 *
 * class Users {
 *   @Workflow('sign-up')
 *   @WorkflowSchema(['address', 'confirm'])
 *   @WorkflowCarryOver({ keys: ['email', 'name'], graceMs: 7 * 24 * 60 * 60_000 })
 *   signUp() {}
 * }
 * ```
 */
export const WorkflowCarryOver = ({ keys, graceMs }: WfCarryOver): MethodDecorator => {
  const areKeys = Array.isArray(keys) && keys.every(key => typeof key === 'string' && key !== '')
  if (!areKeys || !Number.isFinite(graceMs) || graceMs <= 0) {
    throw new WfError(
      'WF_CONFIG',
      '@WorkflowCarryOver takes { keys, graceMs }: keys of the context, and milliseconds from 1.',
    )
  }
  return getWfMate().decorate('wfCarryOver', Object.freeze({ keys: [...keys], graceMs }))
}
