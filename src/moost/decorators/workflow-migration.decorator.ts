import { WfError } from '../../errors'
import type { WfMigrate } from '../../state'
import { getWfMate } from '../wf-metadata'

/**
 * Brings flows along that were paused before their workflow was changed, and whose step is gone. A flow
 * whose step is still there, once, goes on at that step by itself.
 *
 * @throws WfError `WF_CONFIG` unless it is a function
 *
 * @example
 * ```ts
 * import { Workflow, WorkflowMigration, WorkflowSchema } from '@atscript/moost-wf'
 *
 * class Auth {
 *   @Workflow('login')
 *   @WorkflowSchema(['password', 'second-factor'])
 *   @WorkflowMigration((context, from) =>
 *     from.stepId === 'auth/sms-code' ? { stepId: 'auth/second-factor', context } : null,
 *   )
 *   login() {}
 * }
 * ```
 */
export const WorkflowMigration = (migrate: WfMigrate): MethodDecorator => {
  if (typeof migrate !== 'function') {
    throw new WfError('WF_CONFIG', '@WorkflowMigration takes a function of the old context.')
  }
  return getWfMate().decorate('wfMigrate', migrate)
}
