import { useLogger } from '@wooksjs/event-core'
import { useHeaders, useRequest, useResponse } from '@wooksjs/event-http'
import { Rejection, watchPause } from '../../run'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { isFinal } from './watch-streams'

/**
 * Tells what became of something that was sent to someone else: once, or by events where the endpoint
 * has them. A cookie has no say in it.
 *
 * @throws Rejection
 */
export async function tellState(config: ResolvedOutletConfig, watch: string): Promise<unknown> {
  const first = await watchPause(config, watch)
  const response = useResponse()
  if (!config.watchStreams || !wantsEvents()) {
    response.setStatus(200)
    return { watching: true, ...first }
  }
  // A browser opens a stream anew that has ended, until it is told that there is no more.
  if (isFinal(first) && useHeaders()['last-event-id'] === first.state) {
    response.setStatus(204)
    return ''
  }
  if (!config.watchStreams.hasRoom(watch)) throw tooManyStreams()
  const headers = { ...response.headers(), ...EVENT_HEADERS }
  const raw = response.getRawRes()
  raw.writeHead(200, headers)
  const logger = useLogger()
  void config.watchStreams.run({
    watch,
    raw,
    first,
    look: () => watchPause(config, watch),
    failed: error => {
      // What is not kept any more is no failure.
      if (error instanceof Rejection) return
      logger.error('A stream for those who watch a flow has broken off', error)
    },
  })
}

const EVENT_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // nginx would keep events back.
  'x-accel-buffering': 'no',
}

function wantsEvents(): boolean {
  const { method } = useRequest()
  return method === 'GET' && Boolean(useHeaders().accept?.includes('text/event-stream'))
}

function tooManyStreams(): Rejection {
  const message = 'Too many pages watch at the moment. Ask again, without a stream.'
  return new Rejection('WF_TOO_MANY', { message, retryAfterSeconds: 5 })
}
