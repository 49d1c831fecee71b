import { WfError } from '../../errors'
import type { WfOutlet, WfOutletRequest } from '../wf-outlet'
import { postWebhook, type WebhookLookup } from './post-webhook'
import { WebhookOrigins } from './webhook-address'
import { WEBHOOK_HEADERS, WebhookKeys, type WfWebhookSecret } from './webhook-signature'

/** A message to another system. The token belongs into what answers it and nowhere else. */
export interface WfWebhookMessage {
  /** The same for every attempt to deliver it. */
  readonly id: string
  readonly template: string
  readonly context: Readonly<Record<string, unknown>>
  readonly token: string
  /** It went out before: which reminder this is, from 1. */
  readonly reminder?: number | undefined
}

/** Options of {@link createWebhookOutlet}. */
export interface WebhookOutletOptions {
  /** Where messages may go: `https://chat.example.com`. Without TLS only this machine may be meant. */
  readonly origins: readonly string[]
  /** Signs messages; of several the first. */
  readonly secret: WfWebhookSecret | readonly WfWebhookSecret[]
  /** What is posted, as JSON. @default the message as it is */
  readonly body?: ((message: WfWebhookMessage) => object) | undefined
  /** @default 'webhook' */
  readonly name?: string | undefined
  /** Milliseconds for all of it. @default 5000 */
  readonly timeoutMs?: number | undefined
  /** Finds the addresses of a host. @default the system's */
  readonly lookup?: WebhookLookup | undefined
}

const MOST_BYTES = 64 * 1024

/**
 * Sends pauses to other systems: a chat, a ticket, another application. The `target` of a pause is the
 * address. What is posted is signed as the Standard Webhooks specification says.
 *
 * Goes to listed origins only, follows no redirect, and connects to no address of a private network,
 * whatever a name stands for.
 *
 * @throws WfError `WF_CONFIG`
 *
 * @example
 * ```ts
 * import { createWebhookOutlet } from '@atscript/moost-wf'
 *
 * const webhook = createWebhookOutlet({
 *   origins: ['https://chat.example.com'],
 *   secret: process.env.WEBHOOK_SECRET ?? 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3',
 *   body: ({ context, token }) => ({
 *     text: `Please decide: ${context.title}`,
 *     link: `https://example.com/decide?wfs=${encodeURIComponent(token)}`,
 *   }),
 * })
 * ```
 */
export function createWebhookOutlet(options: WebhookOutletOptions): WfOutlet {
  const {
    name = 'webhook',
    timeoutMs = 5000,
    body = (message: object) => message,
    lookup,
  } = options
  if (!(timeoutMs > 0)) throw new WfError('WF_CONFIG', 'timeoutMs is a positive number.')
  const origins = new WebhookOrigins(options.origins)
  const keys = new WebhookKeys(options.secret)
  return {
    name,
    tokenDelivery: 'out-of-band',
    async deliver(request: WfOutletRequest, token, details = {}) {
      const { target, template = '', context = {}, reminder } = request
      const url = origins.find(target)
      const { messageId: id = `msg_${crypto.randomUUID()}` } = details
      const text = JSON.stringify(body({ id, template, context, token, reminder }))
      if (new TextEncoder().encode(text).length > MOST_BYTES) {
        throw new WfError('WF_CONFIG', 'A webhook takes 64 KB at most.')
      }
      const message = { id, timestamp: Math.floor(Date.now() / 1000), body: text }
      const headers = {
        'content-type': 'application/json',
        [WEBHOOK_HEADERS.id]: id,
        [WEBHOOK_HEADERS.timestamp]: String(message.timestamp),
        [WEBHOOK_HEADERS.signature]: await keys.sign(message),
      }
      await postWebhook(url, headers, text, { timeoutMs, lookup })
      return { response: { sent: true, outlet: name } }
    },
  }
}
