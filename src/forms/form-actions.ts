import { isRecord } from '../state'
import { assertForm, type ObjectForm, type WfForm } from './form-type'

/** A button of a form that is not its submit button. */
export interface WfFormAction {
  readonly id: string
  readonly label?: string | undefined
  /** Whether it sends what was typed so far. */
  readonly withData: boolean
}

/** The ids of the actions of a form. */
export interface WfFormActions {
  /** Of those that send nothing of what was typed. */
  readonly actions: readonly string[]
  /** Of those that send what was typed so far. */
  readonly actionsWithData: readonly string[]
}

type Annotated = Pick<ObjectForm, 'metadata'>

const known = new WeakMap<object, readonly WfFormAction[]>()

/**
 * The actions of a form: `@ui.form.action` and `@wf.action.withData`, on the form or on its fields. What
 * is written on a button is the second argument of the annotation, or the field's `@meta.label`.
 *
 * @throws WfError `WF_CONFIG` unless it is an interface of an `.as` file
 *
 * @example
 * ```ts
 * import type { WfForm } from '@atscript/moost-wf'
 * import { listFormActions } from '@atscript/moost-wf/forms'
 *
 * export const buttons = (form: WfForm) => listFormActions(form).map(({ id, label = id }) => label)
 * ```
 */
export function listFormActions(form: WfForm): readonly WfFormAction[] {
  const actions = known.get(form)
  if (actions) return actions
  assertForm(form, 'listFormActions()')
  const ofFields = [...form.type.props.values()].flatMap(field => actionsOf(field, labelOf(field)))
  const found = Object.freeze([...actionsOf(form), ...ofFields])
  known.set(form, found)
  return found
}

/**
 * The ids of the actions of a form, apart: those that take no data, and those that do.
 *
 * @throws WfError `WF_CONFIG` unless it is an interface of an `.as` file
 *
 * @example
 * ```ts
 * import { getFormActions, type WfForm } from '@atscript/moost-wf'
 *
 * export const hasDraft = (form: WfForm) => getFormActions(form).actionsWithData.includes('draft')
 * ```
 */
export function getFormActions(form: WfForm): WfFormActions {
  const all = listFormActions(form)
  const idsOf = (withData: boolean) =>
    all.filter(action => action.withData === withData).map(({ id }) => id)
  return { actions: idsOf(false), actionsWithData: idsOf(true) }
}

/** A field that carries an action is a button: it has no value. */
export function isButton({ type, metadata }: WfForm): boolean {
  // An object may have its actions from the interface that it refers to: it is a section, not a button.
  const isPlain = type.kind === '' || type.kind === 'union'
  return isPlain && actionsOf({ metadata }).length > 0
}

function actionsOf({ metadata }: Annotated, label?: string): WfFormAction[] {
  return [
    ...declared(metadata.get('ui.form.action'), false, label),
    ...declared(metadata.get('wf.action.withData'), true, label),
  ]
}

/** What a field is called. What a form is called is its title, and no button's. */
function labelOf({ metadata }: Annotated): string | undefined {
  const label: unknown = metadata.get('meta.label')
  return typeof label === 'string' ? label : undefined
}

// One annotation is an object or, of another plugin, the bare id; several are an array of them.
function declared(annotation: unknown, withData: boolean, fallback?: string): WfFormAction[] {
  if (annotation === undefined) return []
  return [annotation].flat().map(declaration => {
    const { id, label } = isRecord(declaration) ? declaration : { id: declaration }
    return Object.freeze({ id: id as string, label: (label as string) ?? fallback, withData })
  })
}
