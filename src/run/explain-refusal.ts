import {
  notesOf,
  sleep,
  type Tombstone,
  type WfAnswered,
  type WfRefusal,
  type WfRefusalReason,
} from '../state'
import { carriedOver, isUntaken } from './carry-over'
import type { WfTriggerDeps } from './deps'
import { mayHaveFresh } from './fresh-link'
import { isGone } from './rejection'
import type { RunConfig } from './run-config'
import type { RunRequest } from './run-request'
import { tombstoneOf } from './tombstones'

/** Between the moment in which a link is taken and the one in which that is noted. */
const NOTING_MS = 50

/** Why a token is refused, as far as its holder has a right to know. */
export interface Verdict {
  readonly reason: WfRefusalReason
  /**
   * The workflow of a token that was once good, at an endpoint that may run it. A stranger has no such
   * token, and is told the same for whatever they try.
   */
  readonly provenWfid?: string
  /** Whether a fresh flow would keep something of this one. */
  readonly carriesOver?: boolean
  /** Whether its holder can have a link sent anew. */
  readonly fresh?: boolean
  /** How many codes may be tried, where one was sent. */
  readonly triesLeft?: number | undefined
  /** Its form was answered. */
  readonly answered?: WfAnswered | undefined
}

/** Finds out what a refused token was. */
export async function explainRefusal(
  config: RunConfig,
  deps: WfTriggerDeps,
  request: Pick<RunRequest, 'token' | 'browser'>,
  refused: WfRefusal,
): Promise<Verdict> {
  const { refusal, found } = refused
  if (!isGone(refusal)) return { reason: refusal, provenWfid: startableWfid(config, deps, found) }
  const buried = isExplained(request) ? undefined : await tombstoneFor(config, request, refused)
  const known = buried ?? (found && { reason: refusal, wfid: found.state.schemaId })
  if (!known || !config.allows(known.wfid)) return { reason: refusal }
  if (known.reason === 'busy') return { reason: 'busy' }
  const carried = buried ? undefined : carriedOver(config, deps, request, refused)
  const carriesOver = carried !== undefined && (await isUntaken(config, carried))
  const { answered } = buried ?? refused
  const fresh = await mayHaveFresh(config, request.token, known.reason)
  return { reason: known.reason, provenWfid: known.wfid, carriesOver, answered, fresh }
}

/** Whether the strategy keeps its links, and says itself what became of one. */
function isExplained({ token }: Pick<RunRequest, 'token'>): boolean {
  return token?.issued?.strategy.guarantees?.crashSafe === true
}

async function tombstoneFor(
  config: RunConfig,
  { token }: Pick<RunRequest, 'token'>,
  { refusal, found }: WfRefusal,
): Promise<Tombstone | undefined> {
  const isLink = found !== undefined && notesOf(found.state)?.pause?.form !== undefined
  // What was used and has expired since was used.
  if (refusal !== 'gone' && refusal !== 'expired' && !(refusal === 'used' && isLink))
    return undefined
  const buried = await tombstoneOf(config, token)
  if (buried || refusal === 'expired' || !config.ledger) return buried
  await sleep(NOTING_MS)
  return tombstoneOf(config, token)
}

/** The workflow that a living token cannot go on with here, if it can be started. */
function startableWfid(
  { allows }: Pick<RunConfig, 'allows'>,
  deps: WfTriggerDeps,
  found: WfRefusal['found'],
): string | undefined {
  const wfid = found?.state.schemaId
  const isKnown = wfid !== undefined && allows(wfid) && deps.describe?.(wfid) !== undefined
  return isKnown ? wfid : undefined
}
