import { WfError } from '../errors'
import { useRunScope } from './run-scope'

const KIND = 'attempts'

/** What is limited, and to what. */
export interface WfAttemptsOptions {
  /** Who or what tries. Name the account, not the flow: a new flow is one request away. */
  readonly key: string
  /** How many attempts a period has. */
  readonly limit: number
  /** How long a period is, in milliseconds. It begins with its first attempt. */
  readonly windowMs: number
}

/** What became of an attempt. */
export interface WfAttempt {
  /** Whether it is within the limit. If not, look at nothing that the client sent. */
  readonly allowed: boolean
  /** How many attempts are left in this period. */
  readonly left: number
  /** When the next period begins, in milliseconds since the epoch. */
  readonly retryAt: number
}

/**
 * Limits attempts, such as one-time codes and resends, on the ledger of the endpoint.
 *
 * Spend an attempt *before* looking at what was sent. Of any number of parallel attempts exactly
 * `limit` are allowed. Nothing but `reset` and the end of the period gives one back: no error that
 * restores the state, no older token, no new flow.
 *
 * @throws WfError `WF_CONFIG` for wrong options, without a `ledger`, and outside of a workflow that
 * a request runs
 *
 * @example
 * ```ts
 * import { outletHttp, Step, useWfAttempts, WorkflowParam } from '@atscript/moost-wf'
 * import { HttpError } from '@atscript/moost-wf/http'
 *
 * interface Login {
 *   userId: string
 *   code: string
 * }
 *
 * class Code {
 *   @Step('code')
 *   async code(@WorkflowParam('context') ctx: Login, @WorkflowParam('input') input?: Login) {
 *     if (!input) return outletHttp({ form: 'code' })
 *     const attempts = useWfAttempts({ key: `otp:${ctx.userId}`, limit: 5, windowMs: 15 * 60_000 })
 *     const { allowed, left } = await attempts.spend()
 *     if (!allowed) throw new HttpError(429, 'Too many wrong codes.')
 *     if (input.code !== ctx.code) return outletHttp({ form: 'code', left })
 *     await attempts.reset()
 *   }
 * }
 * ```
 */
export function useWfAttempts({ key, limit, windowMs }: WfAttemptsOptions) {
  const { ledger, clock } = useRunScope('useWfAttempts()')
  check(typeof key === 'string' && key !== '', 'key is a text that names who tries')
  check(Number.isSafeInteger(limit) && limit > 0, 'limit is a whole number from 1')
  check(Number.isFinite(windowMs) && windowMs > 0, 'windowMs is a positive number')
  if (!ledger) {
    throw new WfError(
      'WF_CONFIG',
      'useWfAttempts() counts on the ledger of the endpoint, which has none: add { ledger: new AsWfLedger({ table }) } to its configuration.',
    )
  }
  return {
    /** Uses up one attempt, whether or not it is allowed. */
    spend: async (): Promise<WfAttempt> => {
      const end = clock.now() + windowMs
      const count = await ledger.increment(KIND, key, end)
      // The count decides. The end is looked up to be told, where another attempt has set it.
      const retryAt = count === 1 ? end : (await ledger.get(KIND, key))?.expiresAt
      return {
        allowed: count <= limit,
        left: Math.max(0, limit - count),
        retryAt: retryAt ?? clock.now(),
      }
    },
    /** Gives all attempts back: after a success. */
    reset: (): Promise<void> => ledger.restore(KIND, key),
  }
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new WfError('WF_CONFIG', `useWfAttempts(): ${rule}.`)
}
