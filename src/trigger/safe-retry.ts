import { setTimeout as sleep } from 'node:timers/promises'
import { useLogger } from '@wooksjs/event-core'
import { useRequest } from '@wooksjs/event-http'
import type { WfLedger } from '../state'
import type { TriggerRequest } from './read-request'
import { replayAnswer, type RecordedAnswer, recordAnswer } from './recorded-answer'
import { Rejection } from './rejection'
import type { ResolvedOutletConfig } from './resolve-outlet-config'
import { RetryIdentity } from './retry-identity'

const REQUEST = 'request'
const ANSWER = 'answer'
const FIRST_LOOK_MS = 10
const LAST_LOOK_MS = 250
const PATIENCE_MS = 15_000
const LONGEST_TOKEN = 64 * 1024

/** What a request came to. */
export interface Outcome {
  /** The workflow that it was about. */
  readonly wfid: string
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
  const { ledger, clock, replayWindow } = config
  const { token, requestId, input, action } = request
  // A token that is none leaves no trace.
  if (!ledger || requestId === undefined || !isToken(config, token?.value)) return run()
  const identity = new RetryIdentity(String(token?.value), requestId)
  const digest = identity.digest([input, action])
  const earlier = await earlierAnswer(ledger, identity, clock.now() + replayWindow)
  if (earlier) return repeat(config, request, earlier, digest)
  let outcome: Outcome
  try {
    outcome = await run()
  } catch (error) {
    // It has not happened: the next one may try.
    await ledger.restore(REQUEST, identity.id).catch(logFailure)
    throw error
  }
  const { wfid, body } = outcome
  const record = recordAnswer(config, body, { digest, wfid })
  await ledger
    .put(ANSWER, identity.id, identity.seal(record), clock.now() + replayWindow)
    .catch(logFailure)
  return outcome
}

function logFailure(error: unknown): void {
  useLogger().error('The ledger failed: this request cannot be repeated safely', error)
}

/** The answer to the same request, waited for if it is under way; `undefined` if this one is to run. */
async function earlierAnswer(
  ledger: WfLedger,
  identity: RetryIdentity,
  until: number,
): Promise<RecordedAnswer | undefined> {
  const deadline = performance.now() + PATIENCE_MS
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_LOOK_MS)) {
    const entry = await ledger.get(ANSWER, identity.id)
    if (entry?.data !== undefined) return JSON.parse(identity.open(entry.data)) as RecordedAnswer
    const isRunning = (await ledger.get(REQUEST, identity.id)) !== null
    if (!isRunning && (await ledger.spend(REQUEST, identity.id, until))) return undefined
    if (performance.now() > deadline || hasHungUp()) {
      throw new Rejection('WF_BUSY', { reason: 'busy', headers: { 'retry-after': '1' } })
    }
    await sleep(pauseMs)
  }
}

function repeat(
  { allows }: ResolvedOutletConfig,
  { wfid }: TriggerRequest,
  earlier: RecordedAnswer,
  digest: string,
): Outcome {
  if (!allows(earlier.wfid)) throw new Rejection('WF_NOT_ALLOWED', { reason: 'not-allowed' })
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
