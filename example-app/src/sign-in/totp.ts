import type { WfLedger } from '@atscript/moost-wf/store'
import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
/** Clocks may differ by one step. */
const WINDOW = 1
const REMEMBER_MS = (2 * WINDOW + 2) * PERIOD_S * 1000

/** Codes of an authenticator app (RFC 6238). */
export class TotpCodes {
  constructor(private readonly ledger: WfLedger) {}

  /** Whether a code is right and was not used before. Of any number of requests at once, one is told yes. */
  async use(userId: string, secret: string, code: string, now = Date.now()): Promise<boolean> {
    const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_S })
    const delta = totp.validate({ token: code, timestamp: now, window: WINDOW })
    if (delta === null) return false
    const step = totp.counter({ timestamp: now }) + delta
    return this.ledger.spend('totp-step', `${userId}:${step}`, now + REMEMBER_MS)
  }
}
