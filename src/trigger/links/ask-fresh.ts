import { useLogger } from '@wooksjs/event-core'
import { useRequest, useResponse } from '@wooksjs/event-http'
import { closeAfter } from '../../http'
import { type RequestToken, sendFresh } from '../../run'
import { badRequest } from '../http-rejection'
import type { TriggerRequest } from '../read/read-request'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'

/** For an answer whose end nobody tells of. */
const LONGEST_ANSWER_MS = 1000

/**
 * Takes the wish for a link that is sent anew. Whether there is such a flow is looked for when the answer
 * has left, so that nobody learns it from what is said, nor from how long that takes.
 */
export function askFresh(config: ResolvedOutletConfig, { token }: TriggerRequest): object {
  if (!config.fresh) throw badRequest('Links are not sent anew here.')
  if (token === undefined) throw badRequest(`Send the link along: ${config.token.name}.`)
  if (token.issued) queue(config, token)
  useResponse().setStatus(202)
  return { accepted: true }
}

function queue(config: ResolvedOutletConfig, token: RequestToken): void {
  const send = async () => void (await sendFresh(config, token))
  const done = config.fresh!.queue.add(send, untilAnswered())
  if (done) closeAfter(useRequest().raw.socket, done)
  else useLogger().warn('Too many ask for fresh links: one was not sent.')
}

function untilAnswered(): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, LONGEST_ANSWER_MS)
    useResponse()
      .getRawRes(true)
      .once('close', () => {
        clearTimeout(timer)
        resolve()
      })
  })
}
