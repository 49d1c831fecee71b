import type { TAtscriptAnnotatedType } from '@atscript/typescript/utils'
import { isButton } from './form-actions'

/** Whether a value fits a type. */
type Fits = (type: TAtscriptAnnotatedType, value: unknown) => boolean

/**
 * A copy of a valid value with what its type knows, and nothing else. The value itself stays as it is.
 */
export function pickKnown(def: TAtscriptAnnotatedType, value: unknown, fits: Fits): unknown {
  const { type } = def
  const pick = (inner: TAtscriptAnnotatedType, part: unknown) => pickKnown(inner, part, fits)
  if (typeof value !== 'object' || value === null) return value
  switch (type.kind) {
    case 'array':
      return (value as unknown[]).map(item => pick(type.of, item))
    case 'tuple':
      return type.items.map((item, index) => pick(item, (value as unknown[])[index]))
    case 'union': {
      const match = type.items.find(item => fits(item, value))
      return match && pick(match, value)
    }
    case 'intersection':
      return Object.assign({}, ...type.items.map(item => pick(item, value)))
    case 'object':
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, part]) => {
          const known = knownProp(def, key, part, fits)
          return known ? [[key, pick(known, part)]] : []
        }),
      )
    default:
      return value
  }
}

/** What a client may not change: buttons, and fields that are only shown. */
export function isShownOnly(field: TAtscriptAnnotatedType): boolean {
  return (
    isButton(field) || field.metadata.has('ui.form.disabled') || field.metadata.has('meta.readonly')
  )
}

function knownProp({ type }: TAtscriptAnnotatedType, key: string, part: unknown, fits: Fits) {
  if (type.kind !== 'object' || part === undefined) return undefined
  const prop =
    type.props.get(key) ??
    type.propsPatterns.find(({ pattern, def }) => pattern.test(key) && fits(def, part))?.def
  if (!prop || isShownOnly(prop) || isPhantom(prop)) return undefined
  // The validator lets `null` pass for what is optional; the type of the field does not have it.
  return part === null && !takesNull(prop) ? undefined : prop
}

function isPhantom({ type }: TAtscriptAnnotatedType): boolean {
  return type.kind === '' && type.designType === 'phantom'
}

function takesNull({ type }: TAtscriptAnnotatedType): boolean {
  if (type.kind === '') return type.designType === 'null' || type.designType === 'any'
  return type.kind === 'union' && type.items.some(takesNull)
}
