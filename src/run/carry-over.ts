import { useLogger } from '@wooksjs/event-core'
import { isRecord, notesOf, type WfRefusal } from '../state'
import { isOf } from './admission'
import { isRightBrowser } from './browser-mark'
import type { WfTriggerDeps } from './deps'
import type { OpenRun } from './open-run'
import type { RunConfig } from './run-config'
import type { RunRequest } from './run-request'
import { tombstoneOf } from './tombstones'

const CARRIED = 'carried-over'

/** What a fresh flow keeps of an expired one. */
export interface CarriedOver {
  readonly wfid: string
  readonly flowId: string
  readonly context: Readonly<Record<string, unknown>>
  /** When it is too late to take it. */
  readonly until: number
}

/** The same, taken. */
export interface TakenOver extends CarriedOver {
  /** Lets it be taken again: the fresh flow has not come to anything. */
  giveBack(): Promise<void>
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
  const strategy = token?.issued?.name
  if (refusal !== 'expired' || !found || strategy === undefined) return undefined
  const { schemaId: wfid, context } = found.state
  const notes = notesOf(found.state)
  const policy = deps.describe?.(wfid)?.carryOver
  if (!policy || !notes || !isRecord(context)) return undefined
  if (!config.allows(wfid) || !isOf(strategy, found.state)) return undefined
  if (!isRightBrowser(browser, notes.pause)) return undefined
  const { maxLifetime = Infinity } = config
  const { flowId, startedAt } = notes.flow
  const end = Math.min(found.expiresAt ?? Infinity, startedAt + maxLifetime)
  const until = end + policy.graceMs
  if (until === Infinity || config.clock.now() > until) return undefined
  const kept = policy.keys.filter(key => Object.hasOwn(context, key))
  return { wfid, flowId, until, context: Object.fromEntries(kept.map(key => [key, context[key]])) }
}

/** Whether nothing has been taken of it yet, as far as a ledger knows. */
export async function isUntaken({ ledger }: RunConfig, { flowId }: CarriedOver): Promise<boolean> {
  return !ledger || (await ledger.get(CARRIED, flowId)) === null
}

/** Takes it: with a ledger, once per flow, and not if the token was used before it expired. */
export async function takeCarriedOver(
  config: RunConfig,
  deps: WfTriggerDeps,
  request: RunRequest,
  refused: WfRefusal,
): Promise<TakenOver | undefined> {
  const { token, wfid } = request
  const carried = carriedOver(config, deps, request, refused)
  if (!carried || (wfid !== undefined && wfid !== carried.wfid)) return undefined
  const { ledger } = config
  if (!ledger) return { ...carried, giveBack: async () => undefined }
  if (await tombstoneOf(config, token)) return undefined
  const isFirst = await ledger.spend(CARRIED, carried.flowId, carried.until)
  return isFirst
    ? { ...carried, giveBack: () => ledger.restore(CARRIED, carried.flowId) }
    : undefined
}

/** A flow that has ended carries nothing over: not by an earlier form of it, which may expire later. */
export async function endCarryOver(
  { ledger, clock, tombstoneTtl }: RunConfig,
  deps: WfTriggerDeps,
  { wfid, notes }: Pick<OpenRun, 'wfid' | 'notes'>,
): Promise<void> {
  const policy = deps.describe?.(wfid)?.carryOver
  if (!ledger || !policy) return
  try {
    await ledger.spend(CARRIED, notes.flow.flowId, clock.now() + tombstoneTtl + policy.graceMs)
  } catch (error) {
    // The flow has ended. All that could be had is what its user has typed.
    useLogger().error('It could not be noted that a flow has ended', error)
  }
}
