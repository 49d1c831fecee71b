import { useResponse } from '@wooksjs/event-http'
import { setStatus } from './answer-headers'
import type { WfTokenSource } from './outlet-config'
import type { ResolvedOutletConfig } from './resolve-outlet-config'
import { assertSendable } from './sendable'
import { clearTokenCookie } from './token-cookie'
import type { WfFinishedResponse } from './use-wf-finished'

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
  const plan: FinishPlan =
    finished?.type === 'redirect' && data === undefined
      ? { ...envelope.redirect(toLocation(finished.value), status ?? 303), cookies }
      : {
          body: envelope.finished(data === undefined ? finished?.value : data),
          status: status ?? 200,
          cookies,
        }
  assertSendable(plan)
  return plan
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
