import { TOTP_PERIOD_MS, totpAt } from './totp'

/** A code that works, or how long there is none. */
export interface OfferedCode {
  readonly code?: string
  readonly leftMs: number
}

/**
 * The code that an authenticator app shows now. If that was used already it is the next one, which works before
 * its time, because clocks differ. If both were, there is none for a while.
 */
export async function offeredCode(
  secret: string,
  usedSteps: readonly number[],
  now: number,
): Promise<OfferedCode> {
  const step = Math.floor(now / TOTP_PERIOD_MS)
  const leftMs = TOTP_PERIOD_MS - (now % TOTP_PERIOD_MS)
  const free = [step, step + 1].find(one => !usedSteps.includes(one))
  if (free === undefined) return { leftMs }
  const code = await totpAt(secret, free * TOTP_PERIOD_MS)
  return { code, leftMs: leftMs + (free - step) * TOTP_PERIOD_MS }
}
