import { type TSetCookieData, useResponse } from '@wooksjs/event-http'
import { browserCookieName } from './browser-cookie'
import type { ResolvedOutletConfig } from '../resolve-outlet-config'
import { setsCookiesBeside } from './outgoing-cookies'

/** An answer as it was given, to be given again. */
interface GivenAnswer {
  readonly body: unknown
  readonly status: number
  readonly location?: string
  /** Cookies of ours. Others are never set twice. */
  readonly cookies: readonly (readonly [name: string, data: TSetCookieData])[]
}

/** What is kept of a request that was answered. */
export interface RecordedAnswer {
  readonly digest: string
  /** The workflow that was answered for. */
  readonly wfid: string
  /** A hash of what the browser must know that may have the answer again, if it was bound to one. */
  readonly browser?: string
  /**
   * Not there if the answer must not be given twice, because it has set a cookie, which may be a
   * session, or if it is too large to be kept.
   */
  readonly given?: GivenAnswer
}

/** Larger answers are not kept. Most are a form of a few thousand characters. */
const MAX_ANSWER_LENGTH = 32 * 1024

/** The answer that is about to be sent, as a text to be kept. */
export function recordAnswer(
  config: ResolvedOutletConfig,
  body: unknown,
  about: Omit<RecordedAnswer, 'given'>,
): string {
  const response = useResponse()
  const ours = [config.cookie.name, browserCookieName(config)]
  const location = response.getHeader('location')
  const given: GivenAnswer = {
    body,
    status: response.status,
    location: typeof location === 'string' ? location : undefined,
    cookies: ours.flatMap(name => {
      const data = response.getCookie(name)
      return data ? [[name, data] as const] : []
    }),
  }
  const full = JSON.stringify({ ...about, given } satisfies RecordedAnswer)
  const mayRepeat = full.length <= MAX_ANSWER_LENGTH && !setsCookiesBeside(ours)
  return mayRepeat ? full : JSON.stringify(about satisfies RecordedAnswer)
}

/** Gives an answer again, as it was. */
export function replayAnswer({ body, status, location, cookies }: GivenAnswer): unknown {
  const response = useResponse().setStatus(status)
  if (location !== undefined) response.setHeader('location', location)
  for (const [name, { value, attrs }] of cookies) response.setCookie(name, value, attrs)
  return body
}
