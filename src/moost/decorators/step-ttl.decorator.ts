import { WfError } from '../../errors'
import { getWfMate } from '../wf-metadata'

/**
 * How long a pause of this step can be resumed, in milliseconds. An `expires` that the step sets
 * itself wins.
 *
 * @throws WfError `WF_CONFIG` unless `ms` is a positive number.
 *
 * @example
 * ```ts
 * import { Step, StepTTL } from '@atscript/moost-wf'
 *
 * class Invitation {
 *   @Step('accept')
 *   @StepTTL(3 * 24 * 60 * 60 * 1000)
 *   accept() {
 *     return { inputRequired: { form: 'accept' } }
 *   }
 * }
 * ```
 */
export const StepTTL = (ms: number): MethodDecorator => {
  if (!Number.isFinite(ms) || ms <= 0) {
    throw new WfError('WF_CONFIG', `@StepTTL takes a positive number of milliseconds, not ${ms}.`)
  }
  return getWfMate().decorate('wfStepTTL', ms)
}
