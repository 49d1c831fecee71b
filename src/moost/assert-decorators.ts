import { getInstanceOwnMethods, type Moost } from 'moost'
import { WfError } from '../errors'
import { getWfMate, WF_FLOW, WF_STEP } from './wf-metadata'

/**
 * Finds decorators that stand alone and would have no effect: nobody binds the method they are on.
 *
 * @throws WfError `WF_CONFIG`, naming the controller and the method
 */
export function assertDecorators(moost: Moost): void {
  for (const { type } of moost.getControllersOverview()) {
    const controller = Object.create(type.prototype as object) as Record<string, unknown>
    for (const method of getInstanceOwnMethods(controller)) {
      const meta = getWfMate().read(controller, method)
      const kinds = new Set(meta?.handlers?.map(handler => handler.type))
      const where = `${type.name}.${method}`
      if (meta?.wfSchema && !kinds.has(WF_FLOW)) throw alone('WorkflowSchema', 'Workflow', where)
      if (meta?.wfStepTTL && !kinds.has(WF_STEP)) throw alone('StepTTL', 'Step', where)
    }
  }
}

function alone(decorator: string, partner: string, where: string): WfError {
  return new WfError('WF_CONFIG', `${where} has @${decorator}, but no @${partner}.`)
}
