import { buriedToken, flowMetaOf, isRecord, type WfRefusal } from '../state'
import { isOf } from './admission'
import { isRightBrowser } from './browser-mark'
import type { WfTriggerDeps } from './deps'
import type { RunConfig } from './run-config'
import type { RunRequest } from './run-request'
import { tombstoneOf } from './tombstones'

const CARRIED = 'carried-over'

/** What a fresh flow keeps of an expired one. */
export interface CarriedOver {
  readonly wfid: string
  readonly context: Readonly<Record<string, unknown>>
  /** When it is too late to take it. */
  readonly until: number
}

/**
 * What a token that has expired can bring along; `undefined` if it is too late, if nothing is to be
 * kept, or if the token would not have been taken here while it was alive.
 */
export function carriedOver(
  config: RunConfig,
  deps: WfTriggerDeps,
  { token, browser }: Pick<RunRequest, 'token' | 'browser'>,
  { refusal, found }: WfRefusal,
): CarriedOver | undefined {
  const strategy = config.registry.forToken(token)?.name
  if (refusal !== 'expired' || !found || strategy === undefined) return undefined
  const { schemaId: wfid, context } = found.state
  const flow = flowMetaOf(found.state)
  const policy = deps.describe?.(wfid)?.carryOver
  if (!policy || !flow || !isRecord(context)) return undefined
  if (!config.allows(wfid) || !isOf(strategy, found.state)) return undefined
  if (!isRightBrowser(browser, flow)) return undefined
  const { maxLifetime = Infinity } = config
  const end = Math.min(
    found.expiresAt ?? Infinity,
    flow.expiresAt ?? Infinity,
    flow.startedAt + maxLifetime,
  )
  const until = end + policy.graceMs
  if (until === Infinity || config.clock.now() > until) return undefined
  const kept = policy.keys.filter(key => Object.hasOwn(context, key))
  return { wfid, until, context: Object.fromEntries(kept.map(key => [key, context[key]])) }
}

/** The same, taken: with a ledger, once per token, and not if the token was used before it expired. */
export async function takeCarriedOver(
  config: RunConfig,
  deps: WfTriggerDeps,
  request: RunRequest,
  refused: WfRefusal,
): Promise<CarriedOver | undefined> {
  const { token, wfid } = request
  const carried = carriedOver(config, deps, request, refused)
  if (!carried || (wfid !== undefined && wfid !== carried.wfid)) return undefined
  const found = config.registry.forToken(token)
  if (!found || !config.ledger) return carried
  if (await tombstoneOf(config, token)) return undefined
  const { strategy, hash } = await buriedToken(found.name, found.raw)
  const isFirst = await config.ledger.spend(CARRIED, `${strategy}.${hash}`, carried.until)
  return isFirst ? carried : undefined
}
