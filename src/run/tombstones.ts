import { useLogger } from '@wooksjs/event-core'
import {
  bury,
  answeredOf,
  buriedToken,
  type BuriedToken,
  findTombstone,
  type Tombstone,
  unbury,
  type WfPause,
} from '../state'
import type { IssuedToken } from '../strategies'
import type { RequestToken } from './request-token'
import type { RunConfig } from './run-config'

type Noting = Pick<RunConfig, 'ledger' | 'clock' | 'tombstoneTtl'>

/** For how long others are told to wait for a step that never says what became of an answer. */
const LONGEST_ANSWERING_MS = 60_000

/** Notes that a token has been used. */
export function buryUsed(
  config: Noting,
  token: RequestToken | undefined,
  wfid: string,
  pause: WfPause | undefined,
): Promise<void> {
  const answered = answeredOf(pause, config.clock.now())
  return note(config, token, { reason: 'used', wfid, answered }, config.tombstoneTtl)
}

/**
 * Notes that an answer to a link's form is being looked at. Its strategy may not have the link meanwhile,
 * although it lives again if the answer is not good enough: whoever asks in between is told to wait.
 */
export async function whileAnswering<S extends { readonly spent: boolean }>(
  config: Noting,
  token: RequestToken | undefined,
  wfid: string,
  work: () => Promise<S>,
): Promise<S> {
  await note(config, token, { reason: 'busy', wfid }, LONGEST_ANSWERING_MS)
  let isSpent = false
  try {
    const settled = await work()
    isSpent = settled.spent
    return settled
  } finally {
    if (!isSpent) await forget(config, token)
  }
}

async function forget(
  { ledger }: Pick<RunConfig, 'ledger'>,
  token: RequestToken | undefined,
): Promise<void> {
  if (!ledger || !token?.issued) return
  const { issued } = token
  await orLog(async () => unbury(ledger, await buriedOf(issued)))
}

/** What became of a token that its strategy does not know. */
export async function tombstoneOf(
  { ledger }: Pick<RunConfig, 'ledger'>,
  token: RequestToken | undefined,
): Promise<Tombstone | undefined> {
  if (!ledger || !token?.issued) return undefined
  return findTombstone(ledger, await buriedOf(token.issued))
}

async function note(
  { ledger, clock }: Noting,
  token: RequestToken | undefined,
  tombstone: Tombstone,
  ttlMs: number,
): Promise<void> {
  if (!ledger || !token?.issued) return
  const { issued } = token
  const until = clock.now() + ttlMs
  await orLog(async () => bury(ledger, await buriedOf(issued), tombstone, until))
}

/** The flow goes on, whatever happens here. All that is lost is a better message. */
async function orLog(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    useLogger().error('What became of a token could not be noted', error)
  }
}

function buriedOf({ name, raw, strategy }: IssuedToken): Promise<BuriedToken> {
  return buriedToken(name, raw, strategy.keepsHandle)
}
