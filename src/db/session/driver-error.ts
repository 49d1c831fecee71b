import { WfError } from '../../errors'
import type { DbEngine } from '../db-engine'

const MEANING = {
  conflict: ['WF_CONFLICT', 'A row with the same unique value exists'],
  retry: ['WF_DB_UNAVAILABLE', 'The database is too busy; try again'],
  unavailable: ['WF_DB_UNAVAILABLE', 'The database does not answer'],
  'not synced': [
    'WF_DB_FAILED',
    'A table or column is missing; sync() of the space creates what the .as files describe',
  ],
  unfit: ['WF_DB_ROW', 'A value is not one that its column can hold'],
  other: ['WF_DB_FAILED', 'The database refused'],
} as const

/**
 * What a driver throws, as an error of ours. Drivers put values, handles among them, into messages
 * and properties: of the original only the code is kept, and its message without what is quoted.
 */
export function toWfError(engine: DbEngine, error: unknown): unknown {
  if (error instanceof WfError) return error
  const kind = isClosed(error) ? 'unavailable' : engine.failureOf(error)
  const [code, meaning] = MEANING[kind]
  const { code: driverCode, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const detail = typeof driverCode === 'string' ? `${engine.name}: ${driverCode}` : engine.name
  const cause = kind === 'conflict' ? undefined : new Error(withoutQuotes(String(message)))
  const translated = new WfError(code, `${meaning} (${detail}).`, { cause })
  if (kind === 'retry') undone.add(translated)
  return translated
}

function withoutQuotes(message: string): string {
  return message.replaceAll(/'[^']*'?|"[^"]*"?|`[^`]*`?/gu, '…')
}

/** What Kysely throws for a space that has been closed. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && error.message === 'driver has already been destroyed'
}

const undone = new WeakSet<object>()

/** Whether an error of ours stands for a deadlock, after which the whole transaction may be repeated. */
export function isTransactionUndone(error: unknown): boolean {
  return error instanceof WfError && undone.has(error)
}
