import { useLogger } from '@wooksjs/event-core'
import { bury, buriedToken, type BuriedToken, findTombstone, type Tombstone } from '../state'
import type { IssuedToken } from '../strategies'
import type { RequestToken } from './request-token'
import type { RunConfig } from './run-config'

/** Notes that a token has been used. */
export async function buryUsed(
  { ledger, clock, tombstoneTtl }: RunConfig,
  token: RequestToken | undefined,
  wfid: string,
): Promise<void> {
  if (!ledger || !token?.issued) return
  try {
    const buried = await buriedOf(token.issued)
    await bury(ledger, buried, { reason: 'used', wfid }, clock.now() + tombstoneTtl)
  } catch (error) {
    // The flow has gone on. All that is lost is a better message.
    useLogger().error('A used token could not be noted', error)
  }
}

/** What became of a token that its strategy does not know. */
export async function tombstoneOf(
  { ledger }: RunConfig,
  token: RequestToken | undefined,
): Promise<Tombstone | undefined> {
  if (!ledger || !token?.issued) return undefined
  return findTombstone(ledger, await buriedOf(token.issued))
}

function buriedOf({ name, raw, strategy }: IssuedToken): Promise<BuriedToken> {
  return buriedToken(name, raw, strategy.keepsHandle)
}
