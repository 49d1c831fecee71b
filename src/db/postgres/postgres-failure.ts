import type { FailureKind } from '../db-engine'

const CODES = new Map<string, FailureKind>([
  ['23505', 'conflict'],
  // A prepared statement whose table was changed: it is prepared anew.
  ['0A000', 'retry'],
  ['40001', 'retry'],
  ['40P01', 'retry'],
  ['42P01', 'not synced'],
  ['42703', 'not synced'],
  ['55P03', 'unavailable'],
  ['ECONNREFUSED', 'unavailable'],
  ['ECONNRESET', 'unavailable'],
  ['ENOTFOUND', 'unavailable'],
  ['EPIPE', 'unavailable'],
  ['ETIMEDOUT', 'unavailable'],
])

/** Data exceptions, and constraints that someone has added by hand. */
const UNFIT = /^22|^23(?:502|514)$/u

/** Connection exceptions, insufficient resources, operator intervention (a shutdown among them). */
const UNAVAILABLE_CLASSES = /^(?:08|53|57)/u

/** Of what pg throws without a code. */
const UNAVAILABLE_MESSAGES = /connection|timeout|client has encountered/iu

export function postgresFailure(error: unknown): FailureKind {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code !== 'string') {
    return UNAVAILABLE_MESSAGES.test(String(message)) ? 'unavailable' : 'other'
  }
  const known = CODES.get(code)
  if (known) return known
  if (UNFIT.test(code)) return 'unfit'
  return UNAVAILABLE_CLASSES.test(code) ? 'unavailable' : 'other'
}
