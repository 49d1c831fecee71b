import type { WfLedger } from '@atscript/moost-wf/store'
import { Secret, TOTP } from 'otpauth'

const ISSUER = 'moost-wf example'
const PERIOD_S = 30
/** Clocks may differ by one step. */
const WINDOW = 1
const REMEMBER_MS = (2 * WINDOW + 2) * PERIOD_S * 1000

const KIND = 'totp-step'

/** Codes of an authenticator app (RFC 6238). */
export class TotpCodes {
  constructor(private readonly ledger: WfLedger) {}

  /** Whether a code is right and was not used before. Of any number of requests at once, one is told yes. */
  async use(userId: string, secret: string, code: string, now = Date.now()): Promise<boolean> {
    const totp = totpOf(secret)
    const delta = totp.validate({ token: code, timestamp: now, window: WINDOW })
    if (delta === null) return false
    const step = totp.counter({ timestamp: now }) + delta
    return this.ledger.spend(KIND, `${userId}:${step}`, now + REMEMBER_MS)
  }

  /** Of the steps whose codes could be right by now, those whose code was used. */
  async usedSteps(userId: string, now = Date.now()): Promise<number[]> {
    const current = Math.floor(now / (PERIOD_S * 1000))
    const steps = [current - 1, current, current + 1]
    const notes = await Promise.all(steps.map(step => this.ledger.get(KIND, `${userId}:${step}`)))
    return steps.filter((_, index) => notes[index] !== null)
  }
}

/** A secret that nobody has yet. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** What an authenticator app takes, typed or as a link. */
export const totpUri = (secret: string, label: string): string => totpOf(secret, label).toString()

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_S })
