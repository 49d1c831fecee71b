import {
  isRefusal,
  newFlow,
  notesOf,
  type WfClaim,
  type WfPeek,
  type WfRefusal,
  type WfRefusalReason,
  type WfTimer,
} from '../state'
import { Admission } from './admission'
import { askedPanelOf } from './asked-panel'
import type { WfTriggerDeps } from './deps'
import type { RunPlace } from './execute-run'
import { mayBeAskedFor } from './needs-request'
import type { OpenRun } from './open-run'
import { leavePause, ringReminder } from './ring-timer'
import type { RunConfig } from './run-config'
import type { RunOutcome } from './run-outcome'
import { isHandedOn, type RunTerm } from './run-term'
import { settleRun } from './settle-run'
import { tellOthers } from './tell-others'

/** Which run goes on by itself, and why. */
export interface TakeUpRequest {
  /** The name of its strategy. */
  readonly strategy: string
  readonly flowId: string
  /** Who does it, in the history. */
  readonly actor?: string | undefined
  readonly reason?: string | undefined
  /** @default as long as it takes */
  readonly term?: RunTerm | undefined
}

/** What became of a run that was taken up. */
export type TakenUp =
  | { readonly kind: 'settled'; readonly outcome: RunOutcome }
  /** Its pause was announced again, or was over, and no step has run. */
  | { readonly kind: 'timed' }
  /** It waits for whoever has a link. */
  | { readonly kind: 'waiting' }
  /** Its time was over: it is due again, behind its last step. */
  | { readonly kind: 'handed on' }
  /** Another has it, or this build cannot go on with it. */
  | { readonly kind: 'refused'; readonly reason: WfRefusalReason }

/**
 * Goes on with a run that nobody has asked for, from its last commit: its process has died, or its time
 * has come. Where a step needs the request, or asks whoever has sent it, the run waits for a link.
 *
 * @throws whatever a step throws, once that is noted
 */
export async function takeUpRun(
  config: RunConfig,
  deps: WfTriggerDeps,
  { strategy: strategyName, flowId, actor, reason, term }: TakeUpRequest,
): Promise<TakenUp> {
  const { strategy } = config.registry.named(strategyName)
  const admission = new Admission(config, deps, { strategyName, isUnasked: true })
  const admit = (peek: WfPeek, timer?: WfTimer['timer']) =>
    isFresh(peek) || timer ? refusalToBegin(config, deps, peek) : admission.admit(peek)
  const claim = await strategy.takeUp?.(flowId, { admit, actor, reason })
  if (!claim || isRefusal(claim)) return { kind: 'refused', reason: claim?.refusal ?? 'gone' }
  if ('timer' in claim) return ringTimer(config, deps, strategyName, claim)
  const { state } = isFresh(claim) ? claim : admission.continuationOf(claim.state)
  const run: OpenRun = {
    claim,
    state,
    strategyName,
    isNew: isFresh(claim),
    wfid: state.schemaId,
    notes: notesOf(claim.state) ?? { flow: newFlow(config.clock.now()) },
    isUnasked: true,
    term,
  }
  if (isUnanswered(claim)) {
    await claim.wait?.()
    return { kind: 'waiting' }
  }
  return settleUnasked(config, deps, run)
}

/** What a pause has come to that nobody has answered. Whoever answers at the same moment may be faster. */
async function ringTimer(
  config: RunConfig,
  deps: WfTriggerDeps,
  strategyName: string,
  timer: WfTimer,
): Promise<TakenUp> {
  if (timer.timer === 'expiry') {
    await timer.end()
    return { kind: 'timed' }
  }
  if (timer.timer === 'reminder') {
    await ringReminder(config, strategyName, timer)
    return { kind: 'timed' }
  }
  const run = await leavePause(config, deps, strategyName, timer)
  if (run === null) return { kind: 'refused', reason: 'busy' }
  return run ? settleUnasked(config, deps, run) : { kind: 'timed' }
}

/**
 * Runs the steps of a run that nobody has asked for.
 *
 * @throws whatever a step throws, once that is noted
 */
export async function settleUnasked(
  config: RunConfig,
  deps: WfTriggerDeps,
  run: OpenRun,
): Promise<Exclude<TakenUp, { kind: 'refused' | 'timed' }>> {
  try {
    const settled = await settleRun(config, deps, run, run.claim.answer ?? {}, NOBODY)
    await tellOthers(config, deps, run, settled)
    return { kind: 'settled', outcome: settled.planned }
  } catch (error) {
    if (isHandedOn(run, error)) return { kind: 'handed on' }
    if (mayBeAskedFor(error)) return { kind: 'waiting' }
    throw error
  }
}

/** A build that does not know a workflow, or must not run it, leaves it to one that does. */
function refusalToBegin(
  { allows }: RunConfig,
  deps: WfTriggerDeps,
  found: WfPeek,
): WfRefusal | null {
  const { schemaId } = found.state
  if (!allows(schemaId)) return { refusal: 'not-allowed' }
  return deps.describe && !deps.describe(schemaId) ? { refusal: 'definition-changed', found } : null
}

/** A run that has not done anything yet. */
const isFresh = ({ state }: WfPeek) => state.indexes.length === 0

/**
 * The link of a form is taken up by an answer alone. One that is not there was not kept, because it held
 * a password: the step would send the link anew, to someone who has it.
 */
function isUnanswered({ state, answer }: WfClaim): boolean {
  const { pause, position } = notesOf(state) ?? {}
  const isAsking = pause?.form !== undefined || askedPanelOf(pause) !== undefined
  return isAsking && position?.after === undefined && answer === undefined
}

const NOBODY: RunPlace<RunOutcome> = {
  actor: () => undefined,
  client: () => '',
  initialContext: () => ({}),
  plan: outcome => outcome,
}
