import { current } from '@wooksjs/event-core'
import { wfKind } from '@wooksjs/event-wf'
import { type EncodedFields, findRunScope, isFormEncoded, openInput, wrappingOf } from '../run'
import { isRecord } from '../state'
import { decodeForm } from './decode-form'
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
  /** What looked like an action is a field. */
  readonly isField?: true
}

/** What the step that runs has got for this form, on whichever wire it came. */
export function submitTo(form: ObjectForm): FormSubmit {
  const scope = findRunScope()
  const submit = readSubmit(form, current().get(wfKind.keys.input), scope?.action)
  // For whoever else asks in this step too.
  if (scope && submit.isField) scope.action = undefined
  return submit
}

/** What was sent for this form, on whichever wire it came. */
export function readSubmit(
  form: ObjectForm,
  handed: unknown,
  action: string | undefined,
): FormSubmit {
  const wrapping = wrappingOf(handed)
  const input = openInput(handed) ?? undefined
  if (isFormEncoded(input)) return withAction(form, decodeFor(form, input, action), action)
  if (!wrapping) return withAction(form, input, action)
  if (!meansTheNames(form)) return withAction(form, wrapping.formData, action)
  return { input: wrapping.sent, action: undefined, isField: true }
}

/** A browser sends all fields with each button: those of one that takes no data are not meant. */
function decodeFor(form: ObjectForm, input: EncodedFields, action: string | undefined): unknown {
  const isBare = listFormActions(form).some(({ id, withData }) => id === action && !withData)
  return isBare ? undefined : decodeForm(form, input, action !== undefined)
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
