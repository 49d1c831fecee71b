import { assertForm, type ObjectForm, type WfForm } from './form-type'

/** A button of a form that is not its submit button. */
export interface WfFormAction {
  readonly id: string
  readonly label?: string | undefined
  /** Whether it sends what was typed so far. */
  readonly withData: boolean
}

type Annotated = Pick<ObjectForm, 'metadata'>

const known = new WeakMap<object, readonly WfFormAction[]>()

/**
 * The actions of a form: `@ui.form.action` and `@wf.action.withData`, on the form or on its fields.
 *
 * @throws WfError `WF_CONFIG` unless it is an interface of an `.as` file
 *
 * @example
 * ```ts
 * import { getFormActions, type WfForm } from '@atscript/moost-wf'
 *
 * export const hasDraft = (form: WfForm) => getFormActions(form).some(({ id }) => id === 'draft')
 * ```
 */
export function getFormActions(form: WfForm): readonly WfFormAction[] {
  const actions = known.get(form)
  if (actions) return actions
  assertForm(form, 'getFormActions()')
  const found = Object.freeze([form, ...form.type.props.values()].flatMap(actionsOf))
  known.set(form, found)
  return found
}

/** A field that carries an action is a button: it has no value. */
export function isButton({ type, metadata }: WfForm): boolean {
  // An object may have its actions from the interface that it refers to: it is a section, not a button.
  const isPlain = type.kind === '' || type.kind === 'union'
  return isPlain && actionsOf({ metadata }).length > 0
}

function actionsOf({ metadata }: Annotated): WfFormAction[] {
  return [
    ...declared(metadata.get('ui.form.action'), false),
    ...declared(metadata.get('wf.action.withData'), true),
  ]
}

// One annotation is an object, several are an array of them.
function declared(annotation: unknown, withData: boolean): WfFormAction[] {
  if (annotation === undefined) return []
  const declarations = Array.isArray(annotation) ? annotation : [annotation]
  return declarations.map(({ id, label }) => Object.freeze({ id, label, withData }))
}
