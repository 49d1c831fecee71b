import { WfError } from '../../errors'
import {
  type Awaitable,
  holdsSecret,
  isRecord,
  sha256,
  type WfAsker,
  type WfFormAnswer,
} from '../../state'
import type { TokenCipher } from '../encapsulated/token-cipher'
import type { Digest } from './history-detail'

/** Tell what was sealed from whatever else is encrypted by the same secret. */
const REQUEST = 'durable request'
const INPUT = 'durable input'
const SIGNAL = 'durable signal'
const MESSAGE = 'durable message'
const DIGEST = 'durable digest'
/** Before what is not sealed: nothing that is begins with it. */
const PLAIN = '='

/** What is kept of a request while its run goes on. */
export interface KeptRequest {
  /** Until the step that it is for has run. */
  readonly answer?: WfFormAnswer | undefined
  /** Until the next pause. */
  readonly asker?: WfAsker | undefined
}

/** Keeps what was sent from being read where it is stored, and from being moved to another run. */
export class RunSeal {
  readonly #cipher: TokenCipher | undefined
  readonly #key: string | undefined

  /** @param secret what digests are made with; without one there are none, and nothing is kept */
  constructor(cipher: TokenCipher | undefined, secret: Uint8Array | undefined) {
    this.#cipher = cipher
    this.#key = secret && btoa(String.fromCharCode(...secret))
  }

  /** Whether anything is kept. */
  get canClose(): boolean {
    return this.#cipher !== undefined
  }

  closeRequest(flowId: string, { answer, asker }: KeptRequest): Awaitable<string | undefined> {
    const { actor, facts } = asker ?? {}
    const isWorthIt = answer !== undefined || actor !== undefined || facts !== undefined
    return isWorthIt ? this.#close(REQUEST, flowId, { answer, asker: { actor, facts } }) : undefined
  }

  /** Empty for what cannot be opened: then that person is asked again. */
  async openRequest(flowId: string, sealed: string | undefined): Promise<KeptRequest> {
    return (await this.#open(REQUEST, flowId, sealed)) ?? {}
  }

  async closeInput(flowId: string, input: WfFormAnswer | undefined): Promise<string | undefined> {
    return input && this.#close(INPUT, flowId, input)
  }

  async openInput(flowId: string, sealed: string | undefined): Promise<WfFormAnswer | undefined> {
    return this.#open(INPUT, flowId, sealed)
  }

  /** What a message says, for no other message. */
  async closeMessage(messageId: string, content: object): Promise<string> {
    return (await this.#close(MESSAGE, messageId, content)) ?? ''
  }

  async openMessage(messageId: string, sealed: string): Promise<unknown> {
    return this.#open(MESSAGE, messageId, sealed)
  }

  /**
   * @param json what a signal brings
   * @throws WfError `WF_CONFIG` for what must not be kept as it is, where there is no secret
   */
  async closeSignal(flowId: string, json: string): Promise<string> {
    const sealed = await this.#close(SIGNAL, flowId, { json })
    if (sealed !== undefined) return sealed
    if (!holdsSecret(JSON.parse(json))) return PLAIN + json
    throw new WfError(
      'WF_CONFIG',
      'This signal brings something that looks secret: give the DurableStateStrategy a secret.',
    )
  }

  /** @throws WfError `WF_STATE_INVALID` for what cannot be opened: it is kept until it can */
  async openSignal(flowId: string, kept: string): Promise<unknown> {
    if (kept.startsWith(PLAIN)) return JSON.parse(kept.slice(PLAIN.length))
    const { json } = (await this.#open(SIGNAL, flowId, kept)) ?? {}
    if (typeof json === 'string') return JSON.parse(json)
    throw new WfError('WF_STATE_INVALID', 'A signal was sealed by a secret that is not there.')
  }

  /**
   * Tells values of one run apart without telling them. By a key, because a code of six digits is
   * found by trying.
   */
  digestFor(flowId: string): Digest {
    const key = this.#key
    if (key === undefined) return () => 'none without a secret'
    return value => sha256(JSON.stringify([DIGEST, key, flowId, value]))
  }

  /** @param of the run, or the message, that it must not be moved away from */
  async #close(tag: string, of: string, content: object): Promise<string | undefined> {
    return this.#cipher?.seal(JSON.stringify([tag, of, content]))
  }

  async #open(tag: string, of: string, sealed: string | undefined) {
    const text = sealed === undefined ? null : await this.#cipher?.open(sealed)
    if (typeof text !== 'string') return undefined
    const [itsTag, isOf, content] = JSON.parse(text) as unknown[]
    return itsTag === tag && isOf === of && isRecord(content) ? content : undefined
  }
}
