import { useLogger } from '@wooksjs/event-core'
import { bury, buriedToken, findTombstone, type Tombstone } from '../state'
import type { RunConfig } from './run-config'

/** Notes that a token has been used. */
export async function buryUsed(
  { ledger, clock, registry, tombstoneTtl }: RunConfig,
  token: unknown,
  wfid: string,
): Promise<void> {
  const found = registry.forToken(token)
  if (!ledger || !found) return
  try {
    const buried = await buriedToken(found.name, found.raw, found.strategy.keepsHandle)
    await bury(ledger, buried, { reason: 'used', wfid }, clock.now() + tombstoneTtl)
  } catch (error) {
    // The flow has gone on. All that is lost is a better message.
    useLogger().error('A used token could not be noted', error)
  }
}

/** What became of a token that its strategy does not know. */
export async function tombstoneOf(
  { ledger, registry }: RunConfig,
  token: unknown,
): Promise<Tombstone | undefined> {
  const found = registry.forToken(token)
  if (!ledger || !found) return undefined
  return findTombstone(ledger, await buriedToken(found.name, found.raw, found.strategy.keepsHandle))
}
