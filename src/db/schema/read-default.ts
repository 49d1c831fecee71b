import type { ColumnDefault, ColumnKind } from './column'
import type { DbMetadata } from './table-type'

/** What the `@db.default…` of a field says, if it has one. */
export function readDefault(
  metadata: DbMetadata,
  kind: ColumnKind,
  refuse: (problem: string) => never,
): ColumnDefault | undefined {
  if (metadata.get('db.default.uuid')) {
    return kind === 'string' ? { generate: 'uuid' } : refuse('a uuid is a string')
  }
  if (metadata.get('db.default.now')) {
    return isNumeric(kind)
      ? { generate: 'now' }
      : refuse('@db.default.now is a number of milliseconds')
  }
  const text = metadata.get('db.default')
  if (text === undefined) return undefined
  return { literal: parseLiteral(String(text), kind) ?? refuse(`its default is no ${kind}`) }
}

function parseLiteral(text: string, kind: ColumnKind): string | number | boolean | undefined {
  if (kind === 'string') return text
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  const number = text.trim() === '' ? Number.NaN : Number(text)
  const fits = kind === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)
  return isNumeric(kind) && fits ? number : undefined
}

const isNumeric = (kind: ColumnKind): boolean => kind === 'integer' || kind === 'number'
