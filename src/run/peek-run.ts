import { current } from '@wooksjs/event-core'
import { isRefusal, isRetriedLater, type WfPeek } from '../state'
import { Admission } from './admission'
import { askedFormOf, type ShownForm } from './asked-form'
import type { WfTriggerDeps } from './deps'
import { explainRefusal } from './explain-refusal'
import { rejectionOf } from './rejection'
import type { RunConfig } from './run-config'
import type { RunRequest } from './run-request'
import { openRunScope } from './run-scope'

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
): Promise<PeekedRun> {
  const issued = request.token?.issued
  if (!issued) throw rejectionOf({ reason: 'garbled' })
  const { name: strategyName, strategy, raw } = issued
  const peek = await strategy.peek(raw)
  const admission = new Admission(config, deps, { strategyName, browser: request.browser })
  const refused = isRefusal(peek) ? peek : admission.admit(peek)
  if (refused) throw rejectionOf(await explainRefusal(config, deps, request, refused))
  const found = peek as WfPeek
  if (isRetriedLater(found, config.clock.now())) return found
  const { state } = admission.continuationOf(found.state)
  const asked = askedFormOf(state, deps)
  if (!asked) return { ...found, retryAt: undefined }
  openRunScope(config, strategyName)
  await deps.guard?.(state, { eventContext: current() })
  const { form, noted } = asked
  // Whoever only looks may be a scanner, which keeps what it sees.
  const context = noted.showContext ? form.passContext(state.context) : {}
  return {
    ...found,
    retryAt: undefined,
    shown: { form, context, hidesContext: form.contextKeys.length > 0 && !noted.showContext },
  }
}
