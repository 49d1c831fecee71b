import type { WfOutlet } from './wf-outlet'

/** A mail to be sent. The token belongs into its link and nowhere else. */
export interface WfEmail {
  readonly target: string
  readonly template: string
  readonly context: Readonly<Record<string, unknown>>
  /** Empty where a code goes out alone, for somebody who has a link already (`requireCode`). */
  readonly token: string
  /** To be typed instead of opening the link, where the pause asks for one (`code: true`), or beside it. */
  readonly code?: string | undefined
  /** For its `Message-ID`: the same for every attempt, where it is tried until it is delivered. */
  readonly messageId?: string | undefined
  /** It went out before: which reminder this is, from 1. */
  readonly reminder?: number | undefined
}

/**
 * Sends pauses by mail.
 *
 * @example
 * ```ts
 * import { createEmailOutlet } from '@atscript/moost-wf'
 *
 * const email = createEmailOutlet(async ({ target, token }) => {
 *   console.log(`To ${target}: https://example.com/accept?wfs=${encodeURIComponent(token)}`)
 * })
 * ```
 */
export function createEmailOutlet(send: (email: WfEmail) => void | Promise<void>): WfOutlet {
  return {
    name: 'email',
    tokenDelivery: 'out-of-band',
    async deliver({ target, template, context = {}, reminder }, token, details = {}) {
      if (!target) throw new TypeError('A mail needs a target.')
      const again = reminder === undefined ? {} : { reminder }
      await send({ target, template: template ?? '', context, token, ...details, ...again })
      return { response: { sent: true, outlet: 'email' } }
    },
  }
}
