import { useWfAttempts } from '@atscript/moost-wf'
import { HttpError, useRequest } from '@atscript/moost-wf/http'

const WINDOW_MS = 15 * 60_000

/** Tries at passwords: per account and address, and, looser, per account and per address alone. */
export function passwordLimits(email: string) {
  const address = addressOfCaller()
  const both = useWfAttempts({
    key: `password-both:${address}:${email}`,
    limit: 10,
    windowMs: WINDOW_MS,
  })
  const account = useWfAttempts({
    key: `password-account:${email}`,
    limit: 50,
    windowMs: WINDOW_MS,
  })
  const anybody = useWfAttempts({
    key: `password-address:${address}`,
    limit: 300,
    windowMs: WINDOW_MS,
  })
  return {
    /** @throws HttpError 429, whether or not there is such an account */
    spend: async () => {
      // In turn: what one limit refuses must not use up the others, or one address could lock out
      // an account for everybody.
      for (const limit of [anybody, both, account]) assertAllowed((await limit.spend()).allowed)
    },
    /** The address is still counted: an account of one's own must not make room to guess at others. */
    reset: () => Promise.all([both.reset(), account.reset()]),
  }
}

/** Wrong codes end the flow; those of the account are counted across flows. */
export function codeLimits(userId: string, signInId: string) {
  const account = useWfAttempts({ key: `code:${userId}`, limit: 5, windowMs: WINDOW_MS })
  const flow = useWfAttempts({ key: `code-flow:${signInId}`, limit: 5, windowMs: WINDOW_MS })
  return {
    /** How many tries are left behind this one; `undefined` if it is not allowed itself. */
    spend: async (): Promise<number | undefined> => {
      const tries = await Promise.all([account.spend(), flow.spend()])
      if (!tries.every(({ allowed }) => allowed)) return undefined
      return Math.min(...tries.map(({ left }) => left))
    },
    reset: () => account.reset(),
  }
}

/** Whether another code may be mailed to the account. */
export async function mayMailCode(userId: string): Promise<boolean> {
  const resends = useWfAttempts({ key: `code-mail:${userId}`, limit: 3, windowMs: WINDOW_MS })
  return (await resends.spend()).allowed
}

/** Requests to recover a password. Too many for one address are not sent, without a word. */
export async function mayMailRecovery(email: string): Promise<boolean> {
  const address = useWfAttempts({
    key: `recover:${addressOfCaller()}`,
    limit: 50,
    windowMs: WINDOW_MS,
  })
  assertAllowed((await address.spend()).allowed)
  const account = useWfAttempts({ key: `recover-mail:${email}`, limit: 3, windowMs: WINDOW_MS })
  return (await account.spend()).allowed
}

/** Whoever has an IPv6 address has 2 ^ 64 of them. */
function addressOfCaller(): string {
  const address = useRequest().getIp()
  return address.includes('.') ? address : address.split(':').slice(0, 4).join(':')
}

function assertAllowed(isAllowed: boolean): void {
  if (!isAllowed) throw new HttpError(429, 'Too many tries. Please wait a quarter of an hour.')
}
