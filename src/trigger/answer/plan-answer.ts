import {
  type BrowserMark,
  codeSpellings,
  isLocalPath,
  isWfFinished,
  type RunOutcome,
  type WfFinished,
  type WfFinishedResponse,
} from '../../run'
import { isRecord } from '../../state'
import type { Envelope } from './envelope'
import { assertTokenIsKept } from './keep-token'
import { assertSendable } from './sendable'
import { wantsHtml } from './wants-html'

/** How a run will be answered. Nothing is set yet. */
export interface AnswerPlan {
  readonly body: unknown
  readonly status: number
  readonly location?: string
  /** Cookies of the application. */
  readonly cookies?: WfFinishedResponse['cookies']
  /** The caller's token. Without one, whatever the caller has is of no use any more. */
  readonly token?: string
  readonly expiresAt?: number
  /** What the caller has is still of use, although there is no new one. */
  readonly keepsToken?: true
  readonly mark?: BrowserMark
}

/**
 * Decided, and checked, while the flow can still be given back: an answer that cannot be sent must not
 * be what ends it.
 *
 * @throws WfError `WF_CONFIG`
 */
export function planAnswer(envelope: Envelope, outcome: RunOutcome): AnswerPlan {
  const plan = planOf(envelope, outcome)
  assertSendable(plan)
  if (outcome.kind === 'sent' && outcome.secretToken !== undefined) {
    const secrets = [outcome.secretToken, ...codeSpellings(outcome.secretCode)]
    assertTokenIsKept(secrets, outcome.outlet, outcome.result)
  }
  return plan
}

function planOf(envelope: Envelope, outcome: RunOutcome): AnswerPlan {
  switch (outcome.kind) {
    case 'paused': {
      const { result, token, expiresAt, mark } = outcome
      return { body: result.response ?? {}, status: result.status ?? 200, token, expiresAt, mark }
    }
    case 'sent': {
      const { outlet, result, mark, watch, secretCode, isQueued } = outcome
      const sent = isQueued ? { sent: true, outlet, queued: true } : { sent: true, outlet }
      const { response = sent, status = 200 } = result
      if (watch === undefined || !isRecord(response)) return { body: response, status, mark }
      const hasCode = secretCode !== undefined && { code: response.code ?? true }
      const body = { ...response, watch: response.watch ?? watch, ...hasCode }
      return { body, status, mark }
    }
    case 'noted': {
      const { isSpent } = outcome
      return isSpent
        ? { body: { noted: true }, status: 200 }
        : { body: { noted: true, canChange: true }, status: 200, keepsToken: true }
    }
    case 'waiting': {
      const { watch } = outcome
      return { body: { waiting: true, ...(watch && { watch }) }, status: 200 }
    }
    case 'joined': {
      const { watch } = outcome
      return { body: { joined: true, ...(watch && { watch }) }, status: 200, keepsToken: true }
    }
    case 'delayed':
      return { body: { delayed: true, until: outcome.until }, status: 202 }
    case 'retrying': {
      const { retryAt, watch } = outcome
      const body = { retrying: true, retryAt, ...(watch !== undefined && { watch }) }
      return { body, status: 202, keepsToken: true }
    }
    case 'aborted':
      return planFinish(envelope, { type: 'data', value: outcome.answer }, undefined)
    default:
      return planFinish(envelope, outcome.response, outcome.data)
  }
}

function planFinish(
  envelope: Envelope,
  finished: WfFinishedResponse | undefined,
  data: unknown,
): AnswerPlan {
  const { cookies = {}, status } = finished ?? {}
  const redirect = data === undefined ? redirectOf(finished) : undefined
  if (redirect) {
    const location = toLocation(redirect.next)
    return { ...envelope.redirect(location, status ?? 303, redirect.body), cookies }
  }
  const value = data === undefined ? finished?.value : data
  return { body: envelope.finished(value), status: status ?? 200, cookies }
}

function redirectOf(finished: WfFinishedResponse | undefined) {
  if (finished?.type === 'redirect') return { next: finished.value }
  const body = finished?.value
  if (!isWfFinished(body)) return undefined
  const next = pathOf(body.next)
  // Data may hold what a client has sent.
  return isLocalPath(next) ? { next, body } : undefined
}

/** Where the end of a workflow leads without a choice. A browser that navigates cannot wait. */
function pathOf(next: WfFinished['next']): string | undefined {
  if (!isRecord(next)) return next
  const isDue = next.trigger === 'immediate' || (next.trigger === 'auto' && wantsHtml())
  return isDue && next.action?.type === 'redirect' ? next.action.target : undefined
}

/** A header takes ASCII only; what is encoded already stays. */
function toLocation(url: string): string {
  return url.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent)
}
