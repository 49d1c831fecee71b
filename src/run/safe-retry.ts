import { setTimeout as sleep } from 'node:timers/promises'
import { useLogger } from '@wooksjs/event-core'
import { useRequest } from '@wooksjs/event-http'
import { isRightBrowser } from '../trigger/answer/browser-cookie'
import type { TriggerRequest } from '../trigger/read/read-request'
import { replayAnswer, type RecordedAnswer, recordAnswer } from '../trigger/answer/recorded-answer'
import { Rejection } from './rejection'
import { isRunning, markAsRunning, type RunningMark } from './running-mark'
import type { ResolvedOutletConfig } from '../trigger/resolve-outlet-config'
import { RetryIdentity } from './retry-identity'

const ANSWER = 'answer'
const ANSWERS_OF_FLOW = 'answers-of-flow'
/** A person presses a button a few times within the window; what sends more does not need it. */
const MAX_ANSWERS_OF_FLOW = 20
const FIRST_LOOK_MS = 10
const LAST_LOOK_MS = 250
const PATIENCE_MS = 15_000
const LONGEST_TOKEN = 64 * 1024

/** What a request came to. */
export interface Outcome {
  /** The workflow and the flow that it was about. */
  readonly wfid: string
  readonly flowId?: string
  /** What the browser had to know that was answered, if it was bound to one. */
  readonly browser?: string
  readonly body: unknown
}

/**
 * Runs a request, or gives the answer that the same request has got already: the same token, request
 * id and input. Of any number of such requests at once one runs; the others wait for its answer.
 *
 * Without a ledger, or without a request id, every request runs.
 */
export async function runOnce(
  config: ResolvedOutletConfig,
  request: TriggerRequest,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const { token, requestId, input, action } = request
  // A token that is none leaves no trace.
  if (!config.ledger || requestId === undefined || !isToken(config, token?.value)) return run()
  const identity = new RetryIdentity(String(token?.value), requestId)
  const digest = identity.digest([input, action])
  const earlier = await earlierAnswer(config, identity)
  if (!('stop' in earlier)) return repeat(config, request, earlier, digest)
  try {
    const outcome = await run()
    await keepAnswer(config, identity, digest, outcome)
    return outcome
  } catch (error) {
    // It has not happened: the next one may try.
    await earlier.remove().catch(logFailure)
    throw error
  } finally {
    earlier.stop()
  }
}

/** Keeps the answer for those who ask again. It has been given, whether or not that works. */
async function keepAnswer(
  config: ResolvedOutletConfig,
  identity: RetryIdentity,
  digest: string,
  { wfid, flowId, browser, body }: Outcome,
): Promise<void> {
  const { ledger, clock, replayWindow } = config
  if (!ledger) return
  const until = clock.now() + replayWindow
  try {
    const kept = flowId === undefined ? 1 : await ledger.increment(ANSWERS_OF_FLOW, flowId, until)
    if (kept > MAX_ANSWERS_OF_FLOW) return
    const record = recordAnswer(config, body, { digest, wfid, browser })
    await ledger.put(ANSWER, identity.id, identity.seal(record), until)
  } catch (error) {
    logFailure(error)
  }
}

function logFailure(error: unknown): void {
  useLogger().error('The ledger failed: this request cannot be repeated safely', error)
}

/** The answer to the same request, waited for if it is under way; a mark if this one is to run. */
async function earlierAnswer(
  config: ResolvedOutletConfig,
  identity: RetryIdentity,
): Promise<RecordedAnswer | RunningMark> {
  const deadline = performance.now() + PATIENCE_MS
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_LOOK_MS)) {
    const entry = await config.ledger?.get(ANSWER, identity.id)
    if (entry?.data !== undefined) return JSON.parse(identity.open(entry.data)) as RecordedAnswer
    // Most requests come once: whether another is under way is asked only while waiting for it.
    const isWaiting = pauseMs > FIRST_LOOK_MS && (await isRunning(config, identity.id))
    const mark = isWaiting ? undefined : await markAsRunning(config, identity.id)
    if (mark) return mark
    if (performance.now() > deadline || hasHungUp()) {
      throw new Rejection('WF_BUSY', { reason: 'busy', headers: { 'retry-after': '1' } })
    }
    await sleep(pauseMs)
  }
}

function repeat(
  config: ResolvedOutletConfig,
  { wfid }: TriggerRequest,
  earlier: RecordedAnswer,
  digest: string,
): Outcome {
  if (!config.allows(earlier.wfid)) throw new Rejection('WF_NOT_ALLOWED', { reason: 'not-allowed' })
  if (!isRightBrowser(config, earlier)) {
    throw new Rejection('WF_WRONG_BROWSER', { reason: 'wrong-browser' })
  }
  if (wfid !== undefined && wfid !== earlier.wfid) {
    throw new Rejection('WF_MISMATCH', { reason: 'mismatch' })
  }
  if (earlier.digest !== digest) throw new Rejection('WF_REQUEST_CHANGED')
  if (!earlier.given) throw new Rejection('WF_FINISHED', { restart: { wfid: earlier.wfid } })
  return { wfid: earlier.wfid, body: replayAnswer(earlier.given) }
}

function isToken({ registry }: ResolvedOutletConfig, token: unknown): boolean {
  return registry.forToken(token) !== null && String(token).length <= LONGEST_TOKEN
}

/** Nobody waits for the answer any more. */
function hasHungUp(): boolean {
  return useRequest().raw.socket.destroyed
}
