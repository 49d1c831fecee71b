import { WEBHOOK_HEADERS, WebhookKeys, type WfWebhookSecret } from './webhook-signature'

/** A message that has come in. Nothing of it is trusted. */
export interface WfReceivedWebhook {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** To the byte as it was sent. */
  readonly body: string
}

/** When a message counts as fresh. */
export interface WfWebhookFreshness {
  /** Milliseconds since the epoch. @default now */
  readonly now?: number | undefined
  /** How much older or newer it may be, in milliseconds. @default 5 minutes */
  readonly toleranceMs?: number | undefined
}

/** @returns the id of a message that was signed a moment ago; `undefined` for anything else */
export type WfWebhookVerifier = (
  message: WfReceivedWebhook,
  freshness?: WfWebhookFreshness,
) => Promise<string | undefined>

const TOLERANCE_MS = 5 * 60_000
const ID = /^[\w:-]{1,200}$/u
const SECONDS = /^\d{1,12}$/u
const LONGEST_SIGNATURES = 1000

/**
 * Tells messages that were signed by a secret of ours, as the Standard Webhooks specification says, from
 * any others. It does not know a message again: spend its id.
 *
 * @throws WfError `WF_CONFIG`
 *
 * @example
 * ```ts
 * import { createWebhookVerifier } from '@atscript/moost-wf/outlets'
 *
 * const verify = createWebhookVerifier('whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3')
 * console.log(await verify({ headers: {}, body: '{}' })) // undefined
 * ```
 */
export function createWebhookVerifier(
  secret: WfWebhookSecret | readonly WfWebhookSecret[],
): WfWebhookVerifier {
  const keys = new WebhookKeys(secret)
  return async ({ headers, body }, { now = Date.now(), toleranceMs = TOLERANCE_MS } = {}) => {
    const id = headers[WEBHOOK_HEADERS.id]
    const seconds = headers[WEBHOOK_HEADERS.timestamp]
    const signatures = headers[WEBHOOK_HEADERS.signature]
    if (typeof id !== 'string' || !ID.test(id)) return undefined
    if (typeof seconds !== 'string' || !SECONDS.test(seconds)) return undefined
    if (typeof signatures !== 'string' || signatures.length > LONGEST_SIGNATURES) return undefined
    const timestamp = Number(seconds)
    if (!(Math.abs(now - timestamp * 1000) <= toleranceMs)) return undefined
    return (await keys.verify({ id, timestamp, body }, signatures)) ? id : undefined
  }
}
