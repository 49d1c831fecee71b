import { useResponse } from '@wooksjs/event-http'
import { dropCookies, setStatus } from './answer-headers'
import { isLocalPath } from '../../run/local-path'
import type { WfTokenSource } from '../outlet-config'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { assertSendable } from './sendable'
import { clearTokenCookie } from './token-cookie'
import type { WfFinishedResponse } from '../../run/use-wf-finished'
import type { WfAbort } from '../../run/wf-abort'
import { isWfFinished } from '../../run/wf-finished'

/** How the end of a workflow will be answered. */
export interface FinishPlan {
  readonly body: unknown
  readonly status: number
  readonly location?: string
  readonly cookies: NonNullable<WfFinishedResponse['cookies']>
}

/**
 * Decided, and checked, while the flow can still be given back: an answer that cannot be sent must not
 * be what ends it.
 *
 * @throws WfError `WF_CONFIG`
 */
export function planFinish(
  { envelope }: ResolvedOutletConfig,
  finished: WfFinishedResponse | undefined,
  data: unknown,
): FinishPlan {
  const { cookies = {}, status } = finished ?? {}
  const redirect = data === undefined ? redirectOf(finished) : undefined
  const plan: FinishPlan = redirect
    ? { ...envelope.redirect(toLocation(redirect.next), status ?? 303, redirect.body), cookies }
    : {
        body: envelope.finished(data === undefined ? finished?.value : data),
        status: status ?? 200,
        cookies,
      }
  assertSendable(plan)
  return plan
}

/**
 * The end of a workflow that a step has aborted. What earlier steps have set does not count: neither
 * their cookies nor their answer.
 *
 * @throws WfError `WF_CONFIG`
 */
export function planAbort(config: ResolvedOutletConfig, { answer }: WfAbort): FinishPlan {
  dropCookies()
  return planFinish(config, { type: 'data', value: answer }, undefined)
}

function redirectOf(finished: WfFinishedResponse | undefined) {
  if (finished?.type === 'redirect') return { next: finished.value }
  const body = finished?.value
  // Data may hold what a client has sent.
  if (isWfFinished(body) && isLocalPath(body.next)) return { next: body.next, body }
}

/** Answers the caller of a request that has finished the workflow. */
export function answerFinish(
  config: ResolvedOutletConfig,
  { body, status, location, cookies }: FinishPlan,
  source: WfTokenSource | undefined,
): unknown {
  const response = useResponse()
  if (source === 'cookie' || config.token.write === 'cookie') clearTokenCookie(config)
  for (const [name, { value, options }] of Object.entries(cookies)) {
    response.setCookie(name, value, options)
  }
  if (location === undefined) setStatus(status)
  else response.setStatus(status).setHeader('location', location)
  return body
}

/** A header takes ASCII only; what is encoded already stays. */
function toLocation(url: string): string {
  return url.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent)
}
