import { useWfAttempts } from '@atscript/moost-wf'
import { HttpError, useResponse } from '@atscript/moost-wf/http'

const WINDOW_MS = 15 * 60_000

/**
 * Tries at passwords, counted in the database: a counter in a token would be worthless, because the token
 * of before can be sent again.
 */
export function passwordLimits(network: string, email: string) {
  const both = useWfAttempts({ key: `both:${network}:${email}`, limit: 10, windowMs: WINDOW_MS })
  const account = useWfAttempts({ key: `account:${email}`, limit: 50, windowMs: WINDOW_MS })
  const anybody = useWfAttempts({ key: `network:${network}`, limit: 300, windowMs: WINDOW_MS })
  return {
    /** @throws HttpError 429, whether or not there is such an account */
    spend: async () => {
      // In turn: one network must not use up an account for everybody.
      for (const limit of [anybody, both, account]) {
        const { allowed, retryAt } = await limit.spend()
        if (!allowed) throw tooMany(retryAt - Date.now())
      }
    },
    /** The network is still counted: an account of one's own must not make room to guess at others. */
    reset: async () => {
      await both.reset()
      await account.reset()
    },
  }
}

function tooMany(waitMs: number): HttpError {
  useResponse().setHeader('retry-after', String(Math.max(1, Math.ceil(waitMs / 1000))))
  return new HttpError(429, 'Too many tries. Please wait a quarter of an hour.')
}
