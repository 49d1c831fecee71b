import type { FailureKind } from '../db-engine'

/** Kinds of failure, by SQLite's own words. Not every driver attaches the code to every error. */
const MESSAGES: readonly (readonly [RegExp, FailureKind])[] = [
  [/^UNIQUE constraint failed/u, 'conflict'],
  [/^database (?:table |schema )?is locked/u, 'unavailable'],
  [/^(?:disk I\/O error|unable to open database file|database or disk is full)/u, 'unavailable'],
  [/^(?:the )?database (?:connection )?is (?:not open|closed)/iu, 'unavailable'],
  [/^(?:NOT NULL|CHECK) constraint failed|^string or blob too big|^datatype mismatch/u, 'unfit'],
  [/no such (?:table|column)|has no column/u, 'not synced'],
]

export function sqliteFailure(error: unknown): FailureKind {
  const message = messageOf(error)
  return MESSAGES.find(([words]) => words.test(message))?.[1] ?? 'other'
}

/** Whether another connection holds the lock, so that the same again may succeed. */
export function isBusy(error: unknown): boolean {
  return /^database (?:table |schema )?is locked/u.test(messageOf(error))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}
