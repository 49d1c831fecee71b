import type { TAtscriptAnnotatedType } from '@atscript/typescript/utils'
import { WfError } from '../errors'
import { rulesOf } from './field-rules'
import { sectionOf } from './form-section'
import { assertForm, type ObjectForm } from './form-type'
import { PatternProblem } from './pattern'

type Field = TAtscriptAnnotatedType

const checked = new WeakSet<ObjectForm>()

/**
 * Refuses a form that cannot be judged in linear time, before anyone has filled it in.
 *
 * @throws WfError `WF_CONFIG`, naming the field, and what to write instead
 */
export function checkForm(form: unknown, caller: string): asserts form is ObjectForm {
  assertForm(form, caller)
  if (checked.has(form)) return
  const seen = new Set<Field>()
  const visit = (field: Field, path: readonly string[]): void => {
    if (seen.has(field)) return
    seen.add(field)
    try {
      for (const [name, inner] of innerFields(field)) visit(inner, name ? [...path, name] : path)
    } catch (error) {
      throw error instanceof PatternProblem ? unusable(form, path, error) : error
    }
  }
  visit(form, [])
  checked.add(form)
}

/** Makes the rules of a field, and gives what is inside of it. */
function innerFields(field: Field): (readonly [name: string, field: Field])[] {
  rulesOf(field)
  const { type } = field
  switch (type.kind) {
    case 'object': {
      const { fields, entries } = sectionOf(type)
      return [...fields, ...entries.map(entry => ['*', entry.field] as const)]
    }
    case 'array':
      return [['', type.of]]
    case 'union':
    case 'intersection':
    case 'tuple':
      return type.items.map(item => ['', item] as const)
    default:
      return []
  }
}

function unusable(form: ObjectForm, path: readonly string[], problem: PatternProblem): WfError {
  const where = path.length > 0 ? `, field "${path.join('.')}"` : ''
  return new WfError(
    'WF_CONFIG',
    `Form "${form.id}"${where}: its pattern cannot be used, because ${problem.message}.`,
    { cause: problem },
  )
}
