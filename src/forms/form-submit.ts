import { current } from '@wooksjs/event-core'
import { wfKind } from '@wooksjs/event-wf'
import { findRunScope, openInput, wrappingOf } from '../run'
import { isRecord } from '../state'
import { listFormActions, type WfFormAction } from './form-actions'
import { sectionOf } from './form-section'
import type { ObjectForm } from './form-type'

/** What has come for a form. */
export interface FormSubmit {
  /** What was typed; `undefined` if nothing was sent. */
  readonly input: unknown
  readonly action: WfFormAction | undefined
  /** Why the action cannot be taken. */
  readonly problem?: string
}

/** What the step that runs has got for this form, on whichever wire it came. */
export function submitTo(form: ObjectForm): FormSubmit {
  const handed = current().get(wfKind.keys.input)
  const wrapping = wrappingOf(handed)
  const input = openInput(handed) ?? undefined
  const scope = findRunScope()
  if (!wrapping) return withAction(form, input, scope?.action)
  if (!meansTheNames(form)) return withAction(form, wrapping.formData, scope?.action)
  // What looked like an action is a field, for whoever else asks in this step too.
  if (scope) scope.action = undefined
  return { input: wrapping.sent, action: undefined }
}

/** Whether a form has fields of the names that newer clients wrap what was typed in. */
function meansTheNames({ type }: ObjectForm): boolean {
  return sectionOf(type).fields.some(([name]) => name === 'formData' || name === 'action')
}

function withAction(form: ObjectForm, input: unknown, id: string | undefined): FormSubmit {
  const action = id === undefined ? undefined : listFormActions(form).find(known => known.id === id)
  if (id === undefined) return { input, action }
  if (!action) return { input, action, problem: 'This form has no such action.' }
  const isTooMuch = !action.withData && !isEmpty(input)
  return isTooMuch ? { input, action, problem: 'This action takes no data.' } : { input, action }
}

function isEmpty(input: unknown): boolean {
  return input === undefined || (isRecord(input) && Object.keys(input).length === 0)
}
