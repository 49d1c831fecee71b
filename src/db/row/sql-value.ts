import { JsonText } from '../../state'
import type { Column } from '../schema/column'
import { DbMoment } from './db-moment'

/** What goes to a driver. Drivers differ in what they make of anything else, so nothing else goes. */
export type SqlValue = string | number | boolean | null

/** A value, or a moment that the database knows. */
export type SqlTerm = SqlValue | DbMoment

/** Why a value does not fit a column; what is wrong, never the value. */
export class Misfit {
  constructor(readonly problem: string) {}
}

/** A value as it is bound, or why it cannot be. Reads back the same on every database. */
export function toSqlValue(column: Column, value: unknown): SqlTerm | Misfit {
  if (value === null || value === undefined) {
    return column.nullable ? null : new Misfit('must not be null')
  }
  if (value instanceof DbMoment) {
    return column.kind === 'integer' ? value : new Misfit('holds no whole milliseconds')
  }
  switch (column.kind) {
    case 'string':
      return fitString(value)
    case 'boolean':
      return typeof value === 'boolean' ? value : new Misfit('must be a boolean')
    case 'integer':
      return Number.isSafeInteger(value) ? (value as number) + 0 : new Misfit('must be an integer')
    case 'number':
      return Number.isFinite(value) ? (value as number) + 0 : new Misfit('must be a finite number')
    case 'json':
      return fitJson(value)
  }
}

function fitString(value: unknown): string | Misfit {
  if (typeof value !== 'string') return new Misfit('must be a string')
  // PostgreSQL has no text with NUL; half a surrogate pair would come back as another character.
  if (value.includes('\0') || !(value as WellFormed).isWellFormed()) {
    return new Misfit('holds a character that cannot be stored')
  }
  return value
}

/** Newer than the library that TypeScript is told of. */
type WellFormed = string & { isWellFormed(): boolean }

function fitJson(value: unknown): string | Misfit {
  if (value instanceof JsonText) return value.text
  try {
    return JSON.stringify(value) ?? new Misfit(`is a ${typeof value}, which JSON cannot hold`)
  } catch {
    return new Misfit('cannot be written as JSON')
  }
}
