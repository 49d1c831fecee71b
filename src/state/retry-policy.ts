import { WfError } from '../errors'

/** A timer that is to run for longer runs out at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** How a step is tried again that has failed. */
export interface WfRetryOptions {
  /** How often it is tried in all, the first time included. @default 3 */
  readonly attempts?: number | undefined
  /** Whether each wait is twice as long as the one before. @default 'exponential' */
  readonly backoff?: 'exponential' | 'fixed' | undefined
  /** The first wait, in milliseconds. @default 1000 */
  readonly baseMs?: number | undefined
  /** The longest wait, in milliseconds. @default 5 minutes */
  readonly maxMs?: number | undefined
  /**
   * Which part of a wait is left to chance, from 0 to 1, so that what has failed together is not tried
   * again together. It makes waits shorter, never longer.
   *
   * @default 0.5
   */
  readonly jitter?: number | undefined
  /**
   * For how long the step may run, in milliseconds. Behind that it has failed, and whatever it still does
   * counts for nothing.
   *
   * @default no limit
   */
  readonly timeoutMs?: number | undefined
}

/** The same, complete. */
export type WfRetryPolicy = Required<Omit<WfRetryOptions, 'timeoutMs'>> &
  Pick<WfRetryOptions, 'timeoutMs'>

/**
 * @param owner whose options they are, for the sentence
 * @throws WfError `WF_CONFIG`
 */
export function resolveRetryPolicy(options: WfRetryOptions, owner: string): WfRetryPolicy {
  const { attempts = 3, backoff = 'exponential', jitter = 0.5, timeoutMs } = options
  const { baseMs = 1000, maxMs = Math.max(5 * 60_000, baseMs) } = options
  const check = (holds: boolean, rule: string) => {
    if (!holds) throw new WfError('WF_CONFIG', `${owner}: ${rule}.`)
  }
  check(Number.isSafeInteger(attempts) && attempts > 0, 'attempts is a whole number from 1')
  check(backoff === 'exponential' || backoff === 'fixed', "backoff is 'exponential' or 'fixed'")
  check(Number.isSafeInteger(baseMs) && baseMs >= 0, 'baseMs is a whole number from 0')
  check(Number.isSafeInteger(maxMs) && maxMs >= baseMs, 'maxMs is a whole number from baseMs')
  check(jitter >= 0 && jitter <= 1, 'jitter is a number from 0 to 1')
  check(
    timeoutMs === undefined ||
      (Number.isSafeInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS),
    `timeoutMs is a whole number from 1 to ${LONGEST_TIMER_MS}`,
  )
  return Object.freeze({ attempts, backoff, baseMs, maxMs, jitter, timeoutMs })
}

/** How long to wait behind so many attempts, in milliseconds. */
export function retryDelay(
  {
    backoff,
    baseMs,
    maxMs,
    jitter,
  }: Pick<WfRetryPolicy, 'backoff' | 'baseMs' | 'maxMs' | 'jitter'>,
  attempts: number,
): number {
  const wait = backoff === 'fixed' ? baseMs : baseMs * 2 ** (attempts - 1)
  return Math.round(Math.min(wait, maxMs) * (1 - jitter * Math.random()))
}
