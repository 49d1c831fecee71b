import { isRecord } from '../../state'

/** The value at a path of a context as it will be once it is stored; `undefined` if there is none. */
export function resolvePath(context: unknown, path: readonly string[]): unknown {
  let value = context
  for (const segment of path) {
    // What writes itself as something else is read as what it writes.
    if (hasToJson(value)) value = asStored(value)
    if (!isRecord(value) || !Object.hasOwn(value, segment)) return undefined
    value = value[segment]
  }
  if (hasToJson(value)) return asStored(value)
  return value ?? undefined
}

function hasToJson(value: unknown): boolean {
  return isRecord(value) && typeof value.toJSON === 'function'
}

function asStored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null') ?? undefined
}
