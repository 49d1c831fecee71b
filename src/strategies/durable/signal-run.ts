import { WfError } from '../../errors'
import {
  assertSignalName,
  isEnd,
  isStorable,
  reachesPrototype,
  sleep,
  type WfRunStore,
} from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import { goesOn } from './goes-on'

const MOST_SIGNALS = 100
const MOST_BYTES = 64 * 1024
const FIRST_WAIT_MS = 2
const LONGEST_WAIT_MS = 50
const PATIENCE_MS = 10_000

/** What a machine tells a run. */
export interface SignalRunOptions {
  readonly name: string
  /** JSON. */
  readonly payload: unknown
  readonly actor?: string | undefined
  /** A store within a transaction. */
  readonly within?: WfRunStore | undefined
}

/** @see RunManager.signal */
export async function signalRun(
  options: ResolvedDurableOptions,
  flowId: string,
  { name, payload, actor, within }: SignalRunOptions,
): Promise<boolean | null> {
  assertSignalName(name)
  const runs = within ?? options.runs
  const { signals } = runs
  if (!signals) throw unkept()
  const sealed = await options.seal.closeSignal(flowId, jsonOf(payload))
  const until = performance.now() + PATIENCE_MS
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    const run = await runs.find(flowId)
    if (!run) return null
    if (isEnd(run.status)) {
      throw new WfError('WF_TRANSITION', `A run that is ${run.status} takes no signals.`)
    }
    // Behind the run: whatever comes meanwhile is counted by its row, and refuses this one.
    if ((await signals.kept(flowId)).length >= MOST_SIGNALS) {
      throw new WfError('WF_TOO_MANY', `A run keeps ${MOST_SIGNALS} signals at most.`)
    }
    if (await signals.add(run, { name, payload: sealed, sentBy: actor })) {
      return run.status === 'paused' && run.waitsFor === name
    }
    // Within a transaction nobody is waited for: it may hold what they wait for.
    if (within || performance.now() >= until) throw goesOn()
    await sleep(waitMs * (0.5 + Math.random()))
  }
}

function unkept(): WfError {
  return new WfError(
    'WF_CONFIG',
    'These runs keep no signals: give AsWfRunStore a table whose row extends AsWfSignalRecord as `signals`.',
  )
}

/** @throws WfError `WF_STATE_INVALID`, `WF_STATE_TOO_LARGE` */
function jsonOf(payload: unknown): string {
  const text = textOf(payload)
  if (text === undefined) throw unusable()
  if (new TextEncoder().encode(text).length > MOST_BYTES) {
    throw new WfError('WF_STATE_TOO_LARGE', `A signal brings ${MOST_BYTES} bytes at most.`)
  }
  if (!isClean(text)) throw unusable()
  return text
}

function unusable(): WfError {
  return new WfError(
    'WF_STATE_INVALID',
    'What a signal brings is JSON, with no key that would reach a prototype.',
  )
}

function textOf(payload: unknown): string | undefined {
  try {
    return JSON.stringify(payload)
  } catch {
    return undefined
  }
}

/** Others may have written it, and steps merge what they are given. */
function isClean(json: string): boolean {
  let isReaching = false
  try {
    const read: unknown = JSON.parse(json, (key, value: unknown) => {
      isReaching ||= reachesPrototype(key)
      return value
    })
    return !isReaching && isStorable(read)
  } catch {
    return false
  }
}
