import { WfError } from '../errors'
import { newFlowId, sleep, type WfFirstPause, watchUntil } from '../state'
import { browserMark } from './browser-mark'
import { noteCode } from './code-note'
import type { RunPlace, SettledRun } from './execute-run'
import { newCode } from './link-code'
import { Rejection } from './rejection'
import type { RunConfig } from './run-config'
import type { SentRun } from './run-outcome'
import type { KeyTaken } from './start-key'
import { openWatch } from './watch'
import { newWatchToken } from './watch-token'

const LOOK_MS = 25
/** So that many who wait for one that takes its time do not ask all the time. */
const LONGEST_LOOK_MS = 500
const PATIENCE_MS = 15_000

/** A start whose key another run has, by someone who must not learn that. */
export interface HiddenConflict {
  readonly taken: KeyTaken
  /** What the caller's browser is known by, if it has shown anything. */
  readonly browser: string | undefined
  /** When it was asked, by `performance.now()`. */
  readonly beganAt: number
}

/**
 * Answers a start as the one was answered that has its key: nothing is started and nothing sent, and what it
 * gives to watch by waits until it expires.
 *
 * @returns `undefined` if the key is free meanwhile
 * @throws Rejection `WF_BUSY` if the other has not come to a pause in good time
 */
export async function answerLikeStart<P>(
  config: RunConfig,
  conflict: HiddenConflict,
  place: Pick<RunPlace<P>, 'plan'>,
): Promise<SettledRun<P> | undefined> {
  const { taken, browser, beganAt } = conflict
  const first = await firstPause(config, conflict)
  if (!first) return undefined
  if (first.audience !== 'out-of-band') throw asksWhoIsUnknown()
  const { wfid, name } = taken.start
  const sent = await sentLike(config, first, { wfid, strategy: name }, browser)
  await config.pace.keep(wfid, beganAt, first.tookMs)
  return { wfid, flowId: undefined, planned: place.plan(sent), ended: false }
}

/** A start that nobody may tell from another gives nothing to answer with. */
export function asksWhoIsUnknown(): WfError {
  return new WfError(
    'WF_CONFIG',
    'A start with a runKey asks its caller, who is not known, or waits before anything is sent: ' +
      'whoever came second could tell. Name an actor, or send something first.',
  )
}

async function firstPause(
  { registry }: RunConfig,
  { taken: { owner, start } }: HiddenConflict,
): Promise<WfFirstPause | null> {
  const { strategy } = registry.named(start.name)
  const until = performance.now() + PATIENCE_MS
  for (let waitMs = LOOK_MS; ; waitMs = Math.min(1.5 * waitMs, LONGEST_LOOK_MS)) {
    const found = owner ? await strategy.firstPauseOf?.(owner.flowId) : undefined
    if (found !== undefined) return found
    if (performance.now() >= until) {
      throw new Rejection('WF_BUSY', { reason: 'taken', retryAfterSeconds: 1 })
    }
    await sleep(waitMs)
  }
}

async function sentLike(
  config: RunConfig,
  { outlet, ttlMs, isWatched, hasCode, isBound, isQueued: wasQueued }: WfFirstPause,
  of: { readonly wfid: string; readonly strategy: string },
  browser: string | undefined,
): Promise<SentRun> {
  const { ledger, clock, tombstoneTtl } = config
  const expiresAt = ttlMs === undefined ? undefined : clock.now() + ttlMs
  const token = isWatched && ledger ? newWatchToken() : undefined
  const code = hasCode && token ? newCode() : undefined
  const mark = isBound || code !== undefined ? browserMark(browser) : undefined
  // Nobody's flow: whoever watches waits for as many reads as they would for one that there is.
  const nobodys = { ...of, flowId: newFlowId(), expiresAt }
  const watch = token && (await openWatch(config, token, nobodys))
  if (ledger && token && code !== undefined && mark) {
    const until = watchUntil(expiresAt, clock.now(), tombstoneTtl)
    // A link that leads nowhere, should anybody guess it.
    const nowhere = { watch: token, code, token: token.hash, browser: mark.hash }
    await noteCode(ledger, nowhere, until)
  }
  const isQueued = wasQueued || undefined
  return { kind: 'sent', outlet, result: {}, isQueued, mark, watch, secretCode: code }
}
