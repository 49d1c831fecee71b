import { HttpError } from '@wooksjs/event-http'
import { isRecord } from '../state'
import { findRunScope } from '../run'
import { listFormActions, type WfFormAction } from './form-actions'
import type { WfForm } from './form-type'

/**
 * The action of this request, which the form must have.
 *
 * @throws HttpError 400, which leaves the workflow as it was
 */
export function findAction(form: WfForm, input: unknown): WfFormAction | undefined {
  const id = findRunScope()?.action
  if (id === undefined) return undefined
  const action = listFormActions(form).find(known => known.id === id)
  if (!action) throw new HttpError(400, 'This form has no such action.')
  if (!action.withData && !isEmpty(input)) throw new HttpError(400, 'This action takes no data.')
  return action
}

function isEmpty(input: unknown): boolean {
  return input === undefined || (isRecord(input) && Object.keys(input).length === 0)
}
