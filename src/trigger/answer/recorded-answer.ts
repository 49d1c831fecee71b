import { type TSetCookieData, useRequest, useResponse } from '@wooksjs/event-http'
import type { AnswerKeeper } from '../../run'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { browserCookieName, readBrowserCookie } from './browser-cookie'
import { setsCookiesBeside } from './outgoing-cookies'

/** An answer as it was given, to be given again. */
interface GivenAnswer {
  readonly body: unknown
  readonly status: number
  readonly location?: string
  /** Cookies of ours. Others are never set twice. */
  readonly cookies: readonly (readonly [name: string, data: TSetCookieData])[]
}

/** Keeps the answers of an endpoint. One that has set a cookie of others, a session perhaps, is not kept. */
export function answerKeeper(
  config: ResolvedOutletConfig,
  startedWith: AnswerKeeper<unknown>['startedWith'],
): AnswerKeeper<unknown> {
  return {
    keep: body => recordAnswer(config, body),
    give: kept => replayAnswer(kept as GivenAnswer),
    startedWith,
    isForsaken: () => useRequest().raw.socket.destroyed,
  }
}

function recordAnswer(config: ResolvedOutletConfig, body: unknown): GivenAnswer | undefined {
  const response = useResponse()
  const ours = [config.cookie.name, browserCookieName(config)]
  if (setsCookiesBeside(ours)) return undefined
  const shown = readBrowserCookie(config)
  const location = response.getHeader('location')
  return {
    body,
    status: response.status,
    location: typeof location === 'string' ? location : undefined,
    cookies: ours.flatMap(name => {
      const data = response.getCookie(name)
      // A browser that had its mark needs no second one, and nobody else may get it.
      return data && data.value !== shown ? [[name, data] as const] : []
    }),
  }
}

/** Gives an answer again, as it was. Only a header tells that it is not the first time. */
function replayAnswer({ body, status, location, cookies }: GivenAnswer): unknown {
  const response = useResponse().setStatus(status).setHeader('idempotent-replayed', 'true')
  if (location !== undefined) response.setHeader('location', location)
  for (const [name, { value, attrs }] of cookies) response.setCookie(name, value, attrs)
  return body
}
