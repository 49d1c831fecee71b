import { WfError } from '../../errors'
import type { Clock, WfLedger, WfRefusalReason } from '../../state'
import { persevere } from '../claim/persevere'

const SPENT = 'spent-token'
const REVOKED = 'revoked-flow'
// The ledger's clock may be ahead of ours, and a run that goes on while its flow is revoked pauses later.
const SPENT_MARGIN_MS = 5 * 60_000
const REVOKED_MARGIN_MS = 60 * 60_000

/** What can be told of a token without opening it again. */
export interface TokenId {
  readonly jti: string
  readonly exp: number
  readonly flowId: string | undefined
}

/** Makes tokens single-use and flows revocable, or does not. */
export interface ReplayGuard {
  readonly isGuarding: boolean
  /** Why a token can no longer be used, if so. */
  check(id: TokenId): Promise<WfRefusalReason | null>
  /** Spends a token, for exactly one caller. Nothing to wait for, or why it cannot be used. */
  take(id: TokenId): Promise<WfRefusalReason | null> | null
  /** Makes sure that a token is never used. `false` if it has been. */
  kill(id: TokenId): Promise<boolean>
  restore(id: TokenId): Promise<void>
  revokeFlow(flowId: string): Promise<void>
  isRevoked(flowId: string | undefined): Promise<boolean>
}

/** A token is the state, and there is nothing to burn. */
export const noReplayGuard: ReplayGuard = {
  isGuarding: false,
  check: async () => null,
  take: () => null,
  kill: async () => true,
  restore: async () => undefined,
  isRevoked: async () => false,
  revokeFlow: async () => {
    throw new WfError('WF_CONFIG', 'Flows can be revoked only with a ledger: { replay: ledger }.')
  },
}

/** Notes what is spent and revoked for as long as it matters. A ledger that fails, fails the request. */
export function createReplayGuard(ledger: WfLedger, clock: Clock, maxTtl: number): ReplayGuard {
  const isRevoked = async (flowId: string | undefined) =>
    flowId !== undefined && (await ledger.get(REVOKED, flowId)) !== null
  return {
    isGuarding: true,
    isRevoked,
    async check({ jti, flowId }) {
      if (await isRevoked(flowId)) return 'revoked'
      return (await ledger.get(SPENT, jti)) ? 'used' : null
    },
    async take({ jti, exp, flowId }) {
      if (await isRevoked(flowId)) return 'revoked'
      return (await ledger.spend(SPENT, jti, exp + SPENT_MARGIN_MS)) ? null : 'used'
    },
    kill: ({ jti, exp }) => ledger.spend(SPENT, jti, exp + SPENT_MARGIN_MS),
    restore: ({ jti }) => persevere(() => ledger.restore(SPENT, jti)),
    revokeFlow: flowId => ledger.put(REVOKED, flowId, '', clock.now() + maxTtl + REVOKED_MARGIN_MS),
  }
}
