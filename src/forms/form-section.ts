import type { TAtscriptAnnotatedType, TAtscriptTypeObject } from '@atscript/typescript/utils'
import { isButton } from './form-actions'
import { LinearPattern } from './pattern'

type Field = TAtscriptAnnotatedType

/** The type of a field that is an object. */
export type ObjectType = TAtscriptTypeObject<string, unknown>

/** What a client may fill in of an object. */
export interface FormSection {
  readonly fields: readonly (readonly [name: string, field: Field])[]
  /** What stands for keys that the client makes up. */
  readonly entries: readonly { readonly keys: LinearPattern; readonly field: Field }[]
}

const known = new WeakMap<ObjectType, FormSection>()

/**
 * The fields of an object, made once. Buttons, and fields that are only shown, are not among them.
 *
 * @throws PatternProblem
 */
export function sectionOf(type: ObjectType): FormSection {
  const made = known.get(type)
  if (made) return made
  const section = readSection(type)
  known.set(type, section)
  return section
}

function readSection({ props, propsPatterns }: ObjectType): FormSection {
  return {
    fields: [...props].filter(([, field]) => isFilledIn(field)),
    entries: propsPatterns
      .map(({ pattern, def }) => ({
        keys: new LinearPattern(pattern.source, pattern.flags),
        field: def,
      }))
      .filter(({ field }) => isFilledIn(field)),
  }
}

function isFilledIn(field: Field): boolean {
  const { metadata, type } = field
  const isPhantom = type.kind === '' && type.designType === 'phantom'
  const isShownOnly = metadata.has('ui.form.disabled') || metadata.has('meta.readonly')
  return !isPhantom && !isShownOnly && !isButton(field)
}
