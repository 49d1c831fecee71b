import type { EncodedFields } from '../../run'
import { isRecord } from '../../state'

/** What stands in the fields of a form, by their paths; a list has several. */
export type FormTexts = ReadonlyMap<string, readonly string[]>

const MAX_DEPTH = 16

/** Data as the fields of a form show it. */
export function textsOfData(data: Readonly<Record<string, unknown>>): FormTexts {
  const texts = new Map<string, readonly string[]>()
  const visit = (value: unknown, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) return
    if (isRecord(value)) {
      for (const [name, part] of Object.entries(value)) {
        visit(part, path === '' ? name : `${path}.${name}`, depth + 1)
      }
      return
    }
    const plain = [value].flat().flatMap(each => plainText(each) ?? [])
    if (plain.length > 0) texts.set(path, plain)
  }
  visit(data, '', 0)
  return texts
}

/** What was typed, as it was typed. */
export function textsOfFields(fields: EncodedFields): FormTexts {
  return new Map(
    Object.entries(fields).map(([path, given]) => [
      path,
      typeof given === 'string' ? [given] : given,
    ]),
  )
}

/** A value as a text, if it is one that can be read. */
export function plainText(value: unknown): string | undefined {
  return /^(?:string|number|boolean)$/u.test(typeof value) ? String(value) : undefined
}
