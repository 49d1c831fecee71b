import { WfError } from '../errors'
import type { WfOutletRequest } from '../outlets'
import { isRecord } from '../state'
import type { WfRunOutput } from './deps'

/** What a step asks for, by which outlet. */
export function toOutletRequest({ inputRequired, errorList }: WfRunOutput): WfOutletRequest {
  const request: WfOutletRequest = isOutletRequest(inputRequired)
    ? inputRequired
    : { outlet: 'http', payload: inputRequired }
  if (errorList === undefined) return request
  return { ...request, context: { errors: errorList, ...request.context } }
}

function isOutletRequest(value: unknown): value is WfOutletRequest & Record<string, unknown> {
  return isRecord(value) && typeof value.outlet === 'string'
}

/** What the outlet is given: the form is not for it, and no JSON; nor is the deadline. */
export function withoutOurs(asked: WfOutletRequest): WfOutletRequest {
  const isPlain = asked.deadline === undefined && asked.panel === undefined
  const request = isPlain ? asked : { ...asked, deadline: undefined, panel: undefined }
  if (!asked.form) return request
  return { ...request, form: undefined, showContext: undefined, usedNote: undefined }
}

/** Whether the link can be opened only in the browser in which it was asked for. */
export function isForSameBrowser({ link = 'anyDevice' }: WfOutletRequest): boolean {
  if (link === 'anyDevice' || link === 'sameBrowser') return link === 'sameBrowser'
  throw new WfError('WF_CONFIG', `A link is for 'anyDevice' or 'sameBrowser'.`)
}
