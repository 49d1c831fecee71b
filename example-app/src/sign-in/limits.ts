import { useWfAttempts } from '@atscript/moost-wf'
import type { WfAttempt } from '@atscript/moost-wf/run'
import type { Asker } from '../accounts/fair-order'
import { slowDown } from '../api/slow-down'

const WINDOW_MS = 15 * 60_000

/** Tries at passwords: per account and address, and, looser, per account and per address alone. */
export function passwordLimits({ address, account: email }: Asker) {
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
      for (const limit of [anybody, both, account]) assertAllowed(await limit.spend())
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

/** @throws HttpError 429 when no other code may be mailed to the account */
export async function assertMayMailCode(userId: string): Promise<void> {
  const resends = useWfAttempts({ key: `code-mail:${userId}`, limit: 3, windowMs: WINDOW_MS })
  assertAllowed(await resends.spend(), 'Enough codes were sent.')
}

/** @throws HttpError 429 when too many codes of a new app were wrong */
export async function assertMayConfirm(userId: string): Promise<void> {
  const tries = useWfAttempts({ key: `confirm-app:${userId}`, limit: 10, windowMs: WINDOW_MS })
  assertAllowed(await tries.spend())
}

/** Requests to recover a password. Too many for one account are not sent, without a word. */
export async function mayMailRecovery({ address, account: email }: Asker): Promise<boolean> {
  const anybody = useWfAttempts({ key: `recover:${address}`, limit: 50, windowMs: WINDOW_MS })
  assertAllowed(await anybody.spend())
  const account = useWfAttempts({ key: `recover-mail:${email}`, limit: 3, windowMs: WINDOW_MS })
  return (await account.spend()).allowed
}

function assertAllowed({ allowed, retryAt }: WfAttempt, what = 'Too many tries.'): void {
  if (allowed) return
  throw slowDown(`${what} Please wait a quarter of an hour.`, retryAt - Date.now())
}
