import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import type { WfState, WfStateStore } from '@atscript/moost-wf'

const IV_BYTES = 12
const TAG_BYTES = 16

/** `HandleStateStrategy` of the public packages: these members, and no word about what it promises. */
export class PublicHandleStateStrategy {
  readonly store: WfStateStore
  readonly #defaultTtl: number | undefined
  readonly #generateHandle: () => string

  constructor(config: { store: WfStateStore; defaultTtl?: number; generateHandle?: () => string }) {
    this.store = config.store
    this.#defaultTtl = config.defaultTtl
    this.#generateHandle = config.generateHandle ?? (() => randomUUID())
  }

  async persist(
    state: WfState,
    options?: { ttl?: number | undefined },
    hint?: { handle?: string | undefined },
  ): Promise<string> {
    const handle = hint?.handle ?? this.#generateHandle()
    const ttl = options?.ttl ?? this.#defaultTtl
    await this.store.set(handle, state, ttl === undefined ? undefined : Date.now() + ttl)
    return handle
  }

  async retrieve(token: string): Promise<WfState | null> {
    return (await this.store.get(token))?.state ?? null
  }

  async consume(token: string): Promise<WfState | null> {
    return (await this.store.getAndDelete(token))?.state ?? null
  }
}

/** `EncapsulatedStateStrategy` of the public packages: the token is the state, and can be replayed. */
export class PublicEncapsulatedStateStrategy {
  readonly #key: Buffer

  constructor({ secret }: { secret: string | Buffer }) {
    this.#key = typeof secret === 'string' ? Buffer.from(secret, 'hex') : secret
  }

  async persist(state: WfState, options?: { ttl?: number | undefined }): Promise<string> {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv)
    const text = JSON.stringify({ state, exp: options?.ttl && Date.now() + options.ttl })
    const sealed = [iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64url')
  }

  async retrieve(token: string): Promise<WfState | null> {
    try {
      const bytes = Buffer.from(token, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV_BYTES))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8')
      const { state, exp } = JSON.parse(text + decipher.final('utf8')) as {
        state: WfState
        exp?: number
      }
      return exp !== undefined && exp <= Date.now() ? null : state
    } catch {
      return null
    }
  }

  consume(token: string): Promise<WfState | null> {
    return this.retrieve(token)
  }
}
