import { serializeAnnotatedType, type TSerializedAnnotatedType } from '@atscript/typescript/utils'
import { assertForm, type WfForm } from './form-type'
import { HTTP_PATH, unshareTypes } from './unshare-types'

/** Annotations that say how the server works; a client has no use for them. */
const SERVER_SIDE = /^(?:db\.|ui\.table\.|wf\.store\.|wf\.context\.|meta\.documentation$)/u

/** A field that refers to a table brings its name, its address and its labels along, not its columns. */
const SHALLOW = 0.5

const serialized = new WeakMap<object, TSerializedAnnotatedType>()

/**
 * A form as it goes over the wire: `deserializeAnnotatedType` of atscript reads it. What only the
 * server needs, such as `@db.*`, is left out. A field that refers to a table with an address
 * (`@db.http.path`) says so, for a picker of values. Made once per form, and frozen.
 *
 * @throws WfError `WF_CONFIG` unless it is an interface of an `.as` file
 *
 * @example
 * ```ts
 * import { outlet, serializeFormSchema, type WfForm } from '@atscript/moost-wf'
 *
 * export const askBySms = (to: string, form: WfForm) =>
 *   outlet('sms', { target: to, payload: serializeFormSchema(form) })
 * ```
 */
export function serializeFormSchema(form: WfForm): TSerializedAnnotatedType {
  const made = serialized.get(form)
  if (made) return made
  assertForm(form, 'serializeFormSchema()')
  const schema = deepFreeze(
    serializeAnnotatedType(unshareTypes(form), {
      refDepth: SHALLOW,
      processAnnotation: ({ key, value }) =>
        SERVER_SIDE.test(key) && key !== HTTP_PATH
          ? undefined
          : { key, value: structuredClone(value) },
    }),
  )
  serialized.set(form, schema)
  return schema
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null) deepFreeze(child)
  }
  return Object.freeze(value)
}
