import { WfError } from '../../errors'
import { type Clock, systemClock, type WfLedger } from '../../state'
import { createJoseCipher } from './jose-cipher'
import { createNodeCipher, hasNodeCrypto } from './node-cipher'
import { createReplayGuard, noReplayGuard } from './replay-guard'
import { parseSecrets, type WfSecret } from './secret'
import type { TokenCipherFactory } from './token-cipher'

const MINUTE_MS = 60_000
// Some proxies take a URL or a header of this length; none takes more.
const MAX_TOKEN_LENGTH = 1_000_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Options of {@link EncapsulatedStateStrategy}. */
export interface EncapsulatedStateStrategyOptions {
  /**
   * The secret, or the current one and older ones: the first encrypts, all decrypt. To rotate, put a
   * new one in front, and drop the last when its tokens have expired.
   */
  readonly secret: WfSecret | readonly WfSecret[]
  /**
   * How long a token can be used, in milliseconds, unless the step says otherwise.
   * @default 30 minutes
   */
  readonly defaultTtl?: number | undefined
  /**
   * The longest that a step may say. A revoked flow is remembered for so long.
   * @default 30 days
   */
  readonly maxTtl?: number | undefined
  /** Keeps tokens of one tenant, cookie or use from opening for another. */
  readonly purpose?: string | undefined
  /**
   * The longest token to write, and to look at. 3900 fits a cookie, together with its name; some
   * 1800 fit any URL.
   * @default 3900
   */
  readonly maxTokenLength?: number | undefined
  /**
   * Remembers used tokens, so that each works once: attempt counters hold, flows can be revoked.
   * @default none: a token can be used until it expires
   */
  readonly replay?: WfLedger | undefined
  /**
   * Compresses the state. Only for contexts in which no secret stands beside text that an attacker
   * chooses: the length of a token would tell the secret, character by character.
   * @default false
   */
  readonly compress?: boolean | undefined
  /**
   * The implementation: `createNodeCipher` or `createJoseCipher`.
   * @default by runtime
   */
  readonly cipher?: TokenCipherFactory | undefined
  readonly clock?: Clock | undefined
}

export type ResolvedEncapsulatedOptions = ReturnType<typeof resolveEncapsulatedOptions>

/** @throws WfError `WF_CONFIG` */
export function resolveEncapsulatedOptions(options: EncapsulatedStateStrategyOptions) {
  const {
    defaultTtl = 30 * MINUTE_MS,
    maxTtl = 30 * DAY_MS,
    maxTokenLength = 3900,
    compress = false,
    purpose,
    clock = systemClock,
    cipher = hasNodeCrypto ? createNodeCipher : createJoseCipher,
  } = options
  assertPositive({ defaultTtl, maxTtl, maxTokenLength })
  if (!Number.isInteger(maxTokenLength) || maxTokenLength > MAX_TOKEN_LENGTH) {
    throw new WfError('WF_CONFIG', `maxTokenLength is an integer up to ${MAX_TOKEN_LENGTH}.`)
  }
  if (defaultTtl > maxTtl) throw new WfError('WF_CONFIG', 'defaultTtl is longer than maxTtl.')
  if (purpose !== undefined && typeof purpose !== 'string') {
    throw new WfError('WF_CONFIG', 'purpose is a text.')
  }
  // What a compressed token may hold. Larger states are refused when they are written.
  const maxInflatedBytes = maxTokenLength * 100
  const secrets = parseSecrets(options.secret)
  return Object.freeze({
    defaultTtl,
    maxTtl,
    maxTokenLength,
    compress,
    maxInflatedBytes,
    purpose,
    clock,
    cipher: cipher({ secrets, compress, maxInflatedBytes }),
    guard: options.replay ? createReplayGuard(options.replay, clock, maxTtl) : noReplayGuard,
  })
}

function assertPositive(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!(Number.isFinite(value) && value > 0)) {
      throw new WfError('WF_CONFIG', `${name} is a positive number.`)
    }
  }
}
