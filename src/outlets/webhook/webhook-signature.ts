import { WfError } from '../../errors'

/** A secret that two sides share: 24 bytes or more, as bytes or as base64, with or without `whsec_`. */
export type WfWebhookSecret = string | Uint8Array

/** A message as it goes over the wire. The signature is over all of it. */
export interface SignedMessage {
  readonly id: string
  /** Seconds since the epoch. */
  readonly timestamp: number
  readonly body: string
}

/** Headers of the Standard Webhooks specification. */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

const LEAST_BYTES = 24
const VERSION = 'v1,'
const MOST_SIGNATURES = 10

/** Types of the DOM are not there on a server. */
type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** What messages are signed and verified by: the first secret signs, each of them verifies. */
export class WebhookKeys {
  readonly #keys: readonly Promise<HmacKey>[]

  /** @throws WfError `WF_CONFIG`, which never shows the secret */
  constructor(secret: WfWebhookSecret | readonly WfWebhookSecret[]) {
    const secrets = (Array.isArray(secret) ? secret : [secret]) as readonly WfWebhookSecret[]
    if (secrets.length === 0) throw new WfError('WF_CONFIG', 'There is no webhook secret.')
    this.#keys = secrets.map(parseSecret).map(importKey)
    // Whoever signs or verifies is told; nobody need be there to hear it before.
    for (const key of this.#keys) key.catch(() => {})
  }

  async sign(message: SignedMessage): Promise<string> {
    const mac = await crypto.subtle.sign('HMAC', await this.#keys[0]!, bytesOf(message))
    return `${VERSION}${btoa(String.fromCharCode(...new Uint8Array(mac)))}`
  }

  /** Whether one of the signatures is by one of the secrets. Takes the same time for any that is not. */
  async verify(message: SignedMessage, signatures: string): Promise<boolean> {
    const bytes = bytesOf(message)
    const given = signatures.split(' ').slice(0, MOST_SIGNATURES).flatMap(decodeSignature)
    let isGood = false
    for (const mac of given) {
      for (const key of this.#keys) {
        if (await crypto.subtle.verify('HMAC', await key, mac, bytes)) isGood = true
      }
    }
    return isGood
  }
}

function bytesOf({ id, timestamp, body }: SignedMessage): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${id}.${timestamp}.${body}`)
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<HmacKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
}

function parseSecret(secret: WfWebhookSecret): Uint8Array<ArrayBuffer> {
  const bytes =
    typeof secret === 'string'
      ? decodeBase64(secret.replace(/^whsec_/u, ''))
      : secret instanceof Uint8Array
        ? Uint8Array.from(secret)
        : undefined
  if (!bytes || bytes.length < LEAST_BYTES) {
    const problem = `A webhook secret is ${LEAST_BYTES} bytes or more, as base64 behind "whsec_" if you like.`
    throw new WfError('WF_CONFIG', problem)
  }
  return bytes
}

function decodeSignature(text: string): Uint8Array<ArrayBuffer>[] {
  const bytes = text.startsWith(VERSION) ? decodeBase64(text.slice(VERSION.length)) : undefined
  return bytes ? [bytes] : []
}

/** Exact base64 only: lenient decoders drop what they do not know. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/u.test(text)) return undefined
  return Uint8Array.from(atob(text), char => char.charCodeAt(0))
}
