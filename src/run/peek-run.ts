import { current } from '@wooksjs/event-core'
import { isRefusal, isRetriedLater, type WfPeek } from '../state'
import { Admission } from './admission'
import { lateFor } from './answer-gate'
import { askedFormOf, type ShownForm } from './asked-form'
import type { WfTriggerDeps } from './deps'
import { explainRefusal } from './explain-refusal'
import { noteOpened } from './note-opened'
import { rejectionOf } from './rejection'
import type { RunConfig } from './run-config'
import type { RunRequest, RunStarter } from './run-request'
import { openRunScope } from './run-scope'
import { shownAnswers } from './shown-answers'
import { WhoAsks } from './who-asks'

/** What a token stands for. */
export interface PeekedRun extends WfPeek {
  /** The form that its flow waits for, with what may be seen of it by a look. */
  readonly shown?: ShownForm | undefined
}

/**
 * Looks at what a token stands for, and leaves it as it is.
 *
 * @throws Rejection if it could not be gone on with here; whatever its step's guards refuse it with, if
 * there is a form to be seen
 */
export async function peekRun(
  config: RunConfig,
  deps: WfTriggerDeps,
  request: Pick<RunRequest, 'token' | 'browser'>,
  starter: Pick<RunStarter, 'actor'>,
): Promise<PeekedRun> {
  const issued = request.token?.issued
  if (!issued) throw rejectionOf({ reason: 'garbled' })
  const { name: strategyName, strategy, raw } = issued
  const peek = await strategy.peek(raw)
  const admission = new Admission(config, deps, { strategyName, browser: request.browser })
  const who = new WhoAsks(config, admission, { token: request.token }, starter)
  // Who it is matters to the link of one of several people alone.
  if (!isRefusal(peek) && peek.seat !== undefined) await who.identify(peek)
  const refused = isRefusal(peek) ? peek : admission.admit(peek)
  if (refused?.refusal === 'code-needed') throw who.rejection
  if (refused) throw rejectionOf(await explainRefusal(config, deps, request, refused))
  const found = peek as WfPeek
  if (isRetriedLater(found, config.clock.now())) return found
  const { state } = admission.continuationOf(found.state)
  const late = lateFor(state, found.seat)
  if (late) {
    const refusal = { ...late, found }
    throw rejectionOf(await explainRefusal(config, deps, request, refusal))
  }
  const asked = askedFormOf(state, deps, found.seat)
  if (!asked) {
    noteOpened(request.token!, state)
    return { ...found, retryAt: undefined }
  }
  openRunScope(config, strategyName)
  await deps.guard?.(state, { eventContext: current() })
  const { form, noted } = asked
  // Whoever only looks may be a scanner, which keeps what it sees.
  const others = shownAnswers(state, found.seat)
  const context = noted.showContext ? { ...form.passContext(state.context), ...others } : {}
  noteOpened(request.token!, state)
  const hasContext = form.contextKeys.length > 0 || Object.keys(others).length > 0
  return {
    ...found,
    retryAt: undefined,
    shown: { form, context, hidesContext: hasContext && !noted.showContext },
  }
}
