const KEY = 'moost-wf/v1/link'
const ID = { info: 'moost-wf/v1/link-key-id', bits: 48 }

/** What a handle is derived from, beside a secret. None of it is secret. */
export interface LinkOrigin {
  /** Which secret. */
  readonly key: string
  readonly flowId: string
  /** The id of the message that the link was made for. */
  readonly id: string
}

/** Types of the DOM are not there on a server. */
type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/**
 * Makes the handles of links that are sent later, and perhaps more than once: the same each time, and kept
 * nowhere. Whoever has the database and not the secret has nothing.
 */
export class LinkKeys {
  readonly #secrets: readonly Uint8Array[]
  #keys: Promise<ReadonlyMap<string, HmacKey>> | undefined

  /** @param secrets the current one first */
  constructor(secrets: readonly Uint8Array[]) {
    this.#secrets = secrets
  }

  /** The id of the secret that new links are made by. */
  async current(): Promise<string> {
    const [id = ''] = (await this.#byId()).keys()
    return id
  }

  /** `undefined` if its secret is none of ours. */
  async handleOf({ key, flowId, id }: LinkOrigin): Promise<string | undefined> {
    const hmac = (await this.#byId()).get(key)
    if (!hmac) return undefined
    const text = new TextEncoder().encode(JSON.stringify([flowId, id]))
    return toBase64Url(await crypto.subtle.sign('HMAC', hmac, text))
  }

  #byId(): Promise<ReadonlyMap<string, HmacKey>> {
    this.#keys ??= Promise.all(this.#secrets.map(deriveKey)).then(keys => new Map(keys))
    return this.#keys
  }
}

async function deriveKey(secret: Uint8Array): Promise<readonly [id: string, key: HmacKey]> {
  const bytes = Uint8Array.from(secret)
  const root = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, [
    'deriveKey',
    'deriveBits',
  ])
  const id = await crypto.subtle.deriveBits(hkdf(ID.info), root, ID.bits)
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 }
  const key = await crypto.subtle.deriveKey(hkdf(KEY), root, hmac, false, ['sign'])
  return [toBase64Url(id), key]
}

function hkdf(info: string) {
  const salt = new Uint8Array()
  return { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode(info) }
}

function toBase64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
