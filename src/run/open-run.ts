import { useLogger } from '@wooksjs/event-core'
import {
  type Awaitable,
  formatToken,
  isRefusal,
  newFlow,
  notesOf,
  whenKnown,
  type WfClaim,
  type WfFormAnswer,
  type WfNotes,
  type WfRefusal,
  type WfState,
} from '../state'
import { Admission } from './admission'
import { AnswerGate } from './answer-gate'
import type { UnansweredForm } from './asked-form'
import { beginRun, beginWith } from './begin-run'
import { isHolder } from './browser-mark'
import { takeCarriedOver, type TakenOver } from './carry-over'
import type { WfOutletRequest } from '../outlets'
import type { WfTriggerDeps } from './deps'
import { explainRefusal } from './explain-refusal'
import type { RunConfig } from './run-config'
import type { WfMove } from './run-events'
import type { RunRequest, RunStarter } from './run-request'
import { isRetried, type WaitingRetry } from './retry-answer'
import type { RunTerm } from './run-term'
import { type CurrentPause, isGone, Rejection, rejectionOf } from './rejection'
import { WhoAsks } from './who-asks'

/** A workflow that this request may run now. */
export interface OpenRun {
  readonly claim: WfClaim
  /** What runs: the claimed state, at the place where this build goes on with it. */
  readonly state: WfState
  readonly strategyName: string
  readonly isNew: boolean
  readonly wfid: string
  /** As they were when it was taken; a run may change the state. */
  readonly notes: WfNotes
  /** What the claimed token is known by to its strategy; a new run has none. */
  readonly raw?: string
  /** What it has of an expired flow. */
  readonly carriedOver?: TakenOver
  /** What was answered, as the form has read it. */
  readonly answer?: WfFormAnswer | undefined
  /** The same as the step gets it, where several people are asked. */
  readonly said?: WfFormAnswer | undefined
  /**
   * Another of several people had answered, whose process has died: the run goes on with that first, and then it
   * is the turn of whoever asks now.
   */
  readonly isForEarlier?: true | undefined
  /** Nobody has asked for it: it goes on by itself. */
  readonly isUnasked?: true
  /** Whoever has started it is not known, and must not tell it from one that was not started. */
  readonly isHidden?: true
  /** For how long it does. */
  readonly term?: RunTerm | undefined
}

/**
 * Takes the state that the token names, or begins a new one. Nothing is taken if it refuses, or if the
 * flow waits for an answer to its form and this is none.
 *
 * @param submit the same request with its input unwrapped
 */
export function openRun(
  config: RunConfig,
  deps: WfTriggerDeps,
  request: RunRequest,
  submit: WfFormAnswer,
  starter: RunStarter,
): Awaitable<OpenRun | UnansweredForm | WaitingRetry> {
  const { token, wfid, browser, input, action, requestId } = request
  if (token === undefined) return beginRun(config, deps, request, submit, starter)
  const found = token.issued
  if (!found) return replaceOrReject({ refusal: 'garbled' }, config, deps, request, submit, starter)
  const { name: strategyName, raw } = found
  const admission = new Admission(config, deps, { wfid, strategyName, browser })
  const gate = new AnswerGate(admission, deps, submit, config.clock.now())
  // What was admitted need not be live: a strategy may look last whether its token was used.
  const stillThere = async (unanswered: UnansweredForm) => {
    const peek = await found.strategy.peek(raw)
    return isRefusal(peek)
      ? replaceOrReject(peek, config, deps, request, submit, starter)
      : unanswered
  }
  const { admit, keep } = gate
  const who = new WhoAsks(config, admission, request, starter)
  const { identify, asker } = who
  const asked = { admit, identify, input, action, requestId, keep, asker }
  const claiming = found.strategy.claim(raw, asked)
  return whenKnown(claiming, (claim): Awaitable<OpenRun | UnansweredForm | WaitingRetry> => {
    if (isRefusal(claim)) {
      if (claim.refusal === 'retrying' && isRetried(claim.found)) {
        return { waiting: claim.found, strategyName, raw }
      }
      if (claim.refusal === 'code-needed') throw who.rejection
      return gate.unanswered && claim.refusal === 'unanswered'
        ? stillThere(gate.unanswered)
        : replaceOrReject(claim, config, deps, request, submit, starter)
    }
    let state: WfState
    try {
      state = goOn(config, admission, claim)
    } catch (error) {
      return releaseAndThrow(claim, error)
    }
    return {
      claim,
      state,
      strategyName,
      raw,
      isNew: false,
      wfid: claim.state.schemaId,
      // A state of another trigger has none.
      notes: notesOf(claim.state) ?? { flow: newFlow(config.clock.now()) },
      answer: gate.answer,
      said: gate.said,
      isForEarlier: isForEarlier(claim, gate) || undefined,
    }
  })
}

async function replaceOrReject(
  refused: WfRefusal,
  config: RunConfig,
  deps: WfTriggerDeps,
  request: RunRequest,
  submit: WfFormAnswer,
  starter: RunStarter,
): Promise<OpenRun> {
  const { wfid, restart, mayBeLeftOver } = request
  const carried = restart ? await takeCarriedOver(config, deps, request, refused) : undefined
  if (carried) return beginWith(config, deps, request, submit, starter, carried)
  if (mayBeLeftOver && wfid !== undefined && isLeftOver(refused)) {
    return beginRun(config, deps, request, submit, starter)
  }
  if (restart && isOfAnother(config, wfid, refused)) {
    throw new Rejection('WF_MISMATCH', { reason: 'mismatch' })
  }
  const verdict = await explainRefusal(config, deps, request, refused)
  throw rejectionOf(verdict, currentOf(config, request, refused))
}

/** Whether a token is of no use for what is asked for now. */
function isLeftOver({ refusal }: WfRefusal): boolean {
  return isGone(refusal) || refusal === 'mismatch' || refusal === 'definition-changed'
}

/** Whether an expired flow is of another workflow than the one that is to be started anew. */
function isOfAnother(
  { allows }: RunConfig,
  wfid: string | undefined,
  { refusal, found }: WfRefusal,
): boolean {
  if (refusal !== 'expired' || !found || wfid === undefined) return false
  return found.state.schemaId !== wfid && allows(found.state.schemaId)
}

/**
 * Where the flow of an older page is now, for the browser that has the newer one as well. Whoever has
 * an older token only, perhaps because they have started the flow for someone else, is not told.
 */
function currentOf(
  { allows }: RunConfig,
  { token, browser }: RunRequest,
  { current, found }: WfRefusal,
): CurrentPause | undefined {
  const pause = found && notesOf(found.state)?.pause
  if (current === undefined || !token?.issued || !pause?.shown || !pause.outlet) return undefined
  if (!allows(found!.state.schemaId) || !isHolder(browser, pause)) return undefined
  const request = { ...pause.shown, outlet: pause.outlet } as WfOutletRequest
  return { token: formatToken({ name: token.issued.name, raw: current }), request }
}

/** A migration that fails on what was taken leaves it as it was. */
async function releaseAndThrow(claim: WfClaim, error: unknown): Promise<never> {
  await claim.release()
  throw error
}

/** The claimed state where this build goes on with it. */
function goOn(config: RunConfig, admission: Admission, claim: WfClaim): WfState {
  const { state, change } = admission.continuationOf(claim.state)
  if (change) tellOfMove(config, claim.state, change)
  return state
}

function tellOfMove({ onMoved }: RunConfig, state: WfState, change: WfMove['change']): void {
  const { flow, position } = notesOf(state) ?? {}
  const { flowId } = flow ?? {}
  const stepId = position?.stepId ?? position?.after
  const logger = useLogger()
  logger.info(`Flow ${flowId} of ${state.schemaId}, paused at ${stepId}, was ${change}.`)
  Promise.resolve({ schemaId: state.schemaId, flowId, stepId, change })
    .then(onMoved)
    .catch((error: unknown) => logger.error('onMoved failed', error))
}

function isForEarlier({ answer }: WfClaim, { seat }: AnswerGate): boolean {
  return answer?.seat !== undefined && answer.seat !== seat
}
