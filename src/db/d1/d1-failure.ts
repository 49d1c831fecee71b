import type { FailureKind } from '../db-engine'

/** Kinds of failure, by the words of SQLite, which D1 passes on. */
const MESSAGES: readonly (readonly [RegExp, FailureKind])[] = [
  [/UNIQUE constraint failed/u, 'conflict'],
  [/no such (?:table|column)|has no column/u, 'not synced'],
  [/(?:NOT NULL|CHECK) constraint failed|cannot store|string or blob too big/u, 'unfit'],
  [/SQLITE_(?:BUSY|LOCKED|FULL|IOERR|NOMEM|INTERRUPT|CANTOPEN)/u, 'unavailable'],
  // SQLite has refused the statement, or the binding has refused to send it.
  [/SQLITE_[A-Z]+|^D1_TYPE_ERROR/u, 'other'],
]

/**
 * What is not said by SQLite is said by the way to it: a connection that was lost, a storage that was
 * reset, too many requests. Nobody knows then what became of the statements.
 */
export function d1Failure(error: unknown): FailureKind {
  const message = messageOf(error)
  return MESSAGES.find(([words]) => words.test(message))?.[1] ?? 'unavailable'
}

/** Whether a table or a column is there by now that another process has added. */
export const isAlreadyThere = (error: unknown): boolean =>
  /already exists|duplicate column name/u.test(messageOf(error))

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
