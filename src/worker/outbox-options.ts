import { WfError } from '../errors'

/** How messages are delivered that wait in the outbox. */
export interface WfOutboxOptions {
  /** How often it is tried to deliver a message, until it counts as undelivered. @default 100 */
  readonly attempts?: number | undefined
  /** The same in milliseconds since it was to be sent. @default 1 day */
  readonly maxAgeMs?: number | undefined
  /** Milliseconds from the first attempt to the second; from then on it is twice as long each time. @default 5000 */
  readonly baseMs?: number | undefined
  /** Milliseconds between two attempts at most. @default 15 minutes */
  readonly maxMs?: number | undefined
  /** Milliseconds that an outlet has for an attempt. @default 1 minute */
  readonly timeoutMs?: number | undefined
}

export type OutboxOptions = { readonly [Option in keyof WfOutboxOptions]-?: number }

const MINUTE_MS = 60_000

/** @throws WfError `WF_CONFIG` */
export function resolveOutboxOptions({
  attempts = 100,
  maxAgeMs = 24 * 60 * MINUTE_MS,
  baseMs = 5000,
  maxMs = 15 * MINUTE_MS,
  timeoutMs = MINUTE_MS,
}: WfOutboxOptions): OutboxOptions {
  const options = { attempts, maxAgeMs, baseMs, maxMs, timeoutMs }
  for (const [name, value] of Object.entries(options)) {
    if (value > 0) continue
    throw new WfError('WF_CONFIG', `outbox.${name} is a positive number.`)
  }
  return options
}
