import type { FailureKind } from '../db-engine'

const CODES = new Map<string, FailureKind>([
  ['ER_DUP_ENTRY', 'conflict'],
  ['ER_LOCK_DEADLOCK', 'retry'],
  ['ER_CHECKREAD', 'retry'],
  ['ER_NO_SUCH_TABLE', 'not synced'],
  ['ER_BAD_FIELD_ERROR', 'not synced'],
  ['ER_BAD_NULL_ERROR', 'unfit'],
  ['ER_CANNOT_CONVERT_STRING', 'unfit'],
  ['ER_CHECK_CONSTRAINT_VIOLATED', 'unfit'],
  ['ER_CONSTRAINT_FAILED', 'unfit'],
  ['ER_DATA_TOO_LONG', 'unfit'],
  ['ER_INVALID_CHARACTER_STRING', 'unfit'],
  ['ER_NET_PACKET_TOO_LARGE', 'unfit'],
  ['ER_TRUNCATED_WRONG_VALUE_FOR_FIELD', 'unfit'],
  ['ER_WARN_DATA_OUT_OF_RANGE', 'unfit'],
  ['ER_LOCK_WAIT_TIMEOUT', 'unavailable'],
  ['ER_CON_COUNT_ERROR', 'unavailable'],
  ['ER_SERVER_SHUTDOWN', 'unavailable'],
  ['ER_QUERY_INTERRUPTED', 'unavailable'],
  ['ER_CONNECTION_KILLED', 'unavailable'],
  ['PROTOCOL_CONNECTION_LOST', 'unavailable'],
  ['ECONNREFUSED', 'unavailable'],
  ['ECONNRESET', 'unavailable'],
  ['ENOTFOUND', 'unavailable'],
  ['EPIPE', 'unavailable'],
  ['ETIMEDOUT', 'unavailable'],
])

export function mysqlFailure(error: unknown): FailureKind {
  const { code, fatal, message } = (error ?? {}) as {
    code?: unknown
    fatal?: unknown
    message?: unknown
  }
  const known = CODES.get(String(code))
  if (known) return known
  if (fatal === true) return 'unavailable'
  // What mysql2 throws without a code: "Pool is closed", "… closed state", "… lost: …".
  const unnamed = code === undefined && /closed|connection/iu.test(String(message))
  return unnamed ? 'unavailable' : 'other'
}
