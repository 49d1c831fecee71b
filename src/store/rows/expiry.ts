import type { Clock } from '../../state'

/** What ends by itself, or never. */
export interface Expiring {
  readonly expiresAt?: number | null | undefined
}

/** Whether a row is as good as gone: from the moment on, not after it. */
export function isExpired({ expiresAt }: Expiring, now: number): boolean {
  return typeof expiresAt === 'number' && expiresAt <= now
}

/** Matches rows that have not expired; those that never do are among them. */
export const unexpired = (now: number): object => ({ expiresAt: { $not: { $lte: now } } })

/** Whole, because the columns are. */
export const wholeTime = (clock: Clock): number => Math.floor(clock.now())

/** A moment as the column takes it: never later than promised, so rounded down; `undefined` for never. */
export function toTime(expiresAt: number | undefined): number | undefined {
  if (expiresAt === undefined || expiresAt > Number.MAX_SAFE_INTEGER) return undefined
  if (Number.isNaN(expiresAt)) throw new TypeError('A state expires at a number of milliseconds.')
  return Math.max(Math.floor(expiresAt), Number.MIN_SAFE_INTEGER)
}
