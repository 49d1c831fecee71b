import { WfError } from '../../errors'
import {
  randomId,
  resolveRetryPolicy,
  type WfPauseOptions,
  type WfRetryOptions,
  type WfRunStore,
} from '../../state'
import { lifetimeOf } from '../claim/lifetime'
import { createJoseCipher } from '../encapsulated/jose-cipher'
import { createNodeCipher, hasNodeCrypto } from '../encapsulated/node-cipher'
import { parseSecrets, type WfSecret } from '../encapsulated/secret'
import type { TokenCipherFactory } from '../encapsulated/token-cipher'
import { KeyTurns } from './key-turns'
import { DueNews } from './due-news'
import { LinkKeys } from './outbox/link-keys'
import { MessageQueue } from './outbox/message-queue'
import { RunEnds } from './run-ends'
import { RunSeal } from './run-seal'

/** Options of {@link DurableStateStrategy}. */
export interface DurableStateStrategyOptions {
  /** Where runs are kept: `AsWfRunStore`, or `WfRunStoreMemory` to try it out. */
  readonly runs: WfRunStore
  /**
   * For how long a run is left alone whose process is not heard of, in milliseconds. A process that
   * is alive says so three times in that time.
   *
   * @default 10_000
   */
  readonly leaseMs?: number | undefined
  /**
   * For how long a step may run, in milliseconds. Behind that its process no longer counts as alive, and
   * another takes the run up. `Infinity` for as long as it likes.
   *
   * @default 15 minutes
   */
  readonly stepTimeoutMs?: number | undefined
  /**
   * How often a run is taken up again whose step takes its process along. Then it has failed.
   *
   * @default 5
   */
  readonly maxRecoveries?: number | undefined
  /**
   * How a step is tried again that has failed, unless it says so itself by `@StepRetry`.
   *
   * @default not at all
   */
  readonly retry?: WfRetryOptions | undefined
  /**
   * What a crash may cost: the step that was running, or all steps since the last pause.
   *
   * @default 'step'
   */
  readonly checkpoint?: 'step' | 'pause' | undefined
  /**
   * Seals what is kept of requests while their runs go on, and what waits to be sent, and makes digests for
   * the history: one secret, or the current one and older ones. Without it nothing is kept: after a crash in
   * the step that an answer was for, that person is asked again, and messages are sent by the request.
   */
  readonly secret?: WfSecret | readonly WfSecret[] | undefined
  /**
   * How long a pause can be resumed, in milliseconds, unless the step says otherwise.
   *
   * @default no limit
   */
  readonly defaultTtl?: number | undefined
  /**
   * For how long a run is kept that waits and whose links have all expired, in milliseconds: until then it can
   * be extended or get a new link. Then a worker cancels it. `Infinity` keeps it.
   *
   * @default 30 days
   */
  readonly expiredRetentionMs?: number | undefined
  /**
   * Keeps in the history what errors of steps say, and their causes. What stands in the context under a key that
   * looks secret is not in it; but messages of libraries may quote what else they were given.
   *
   * @default false: their names and codes alone
   */
  readonly errorMessages?: boolean | undefined
  /**
   * Makes a handle. It must be impossible to guess: who has it can go on with the flow.
   *
   * @default crypto.randomUUID
   */
  readonly generateHandle?: (() => string) | undefined
  /**
   * The implementation of the seal: `createNodeCipher` or `createJoseCipher`.
   *
   * @default by runtime
   */
  readonly cipher?: TokenCipherFactory | undefined
}

export type ResolvedDurableOptions = ReturnType<typeof resolveDurableOptions>

const STORE_METHODS = [
  'begin',
  'supersede',
  'find',
  'findByLink',
  'claim',
  'renew',
  'release',
  'commit',
] as const
/** An answer is never compressed. */
const MAX_INFLATED = 1
const A_MONTH_MS = 30 * 24 * 60 * 60_000

/** @throws WfError `WF_CONFIG` */
export function resolveDurableOptions(options: DurableStateStrategyOptions) {
  const { runs, leaseMs = 10_000, checkpoint = 'step', defaultTtl } = options
  const { stepTimeoutMs = 15 * 60_000, maxRecoveries = 5 } = options
  const { expiredRetentionMs = A_MONTH_MS, errorMessages = false } = options
  const { generateHandle = () => globalThis.crypto.randomUUID() } = options
  const { cipher = hasNodeCrypto ? createNodeCipher : createJoseCipher } = options
  check(
    STORE_METHODS.every(method => typeof runs?.[method] === 'function'),
    `runs has ${STORE_METHODS.join(', ')}`,
  )
  check(Number.isSafeInteger(leaseMs) && leaseMs > 0, 'leaseMs is a whole number from 1')
  check(stepTimeoutMs > 0, 'stepTimeoutMs is a positive number of milliseconds')
  check(
    Number.isSafeInteger(maxRecoveries) && maxRecoveries >= 0,
    'maxRecoveries is a whole number from 0',
  )
  check(checkpoint === 'step' || checkpoint === 'pause', "checkpoint is 'step' or 'pause'")
  check(
    defaultTtl === undefined || (Number.isFinite(defaultTtl) && defaultTtl > 0),
    'defaultTtl is a positive number of milliseconds',
  )
  check(expiredRetentionMs > 0, 'expiredRetentionMs is a positive number of milliseconds')
  check(typeof errorMessages === 'boolean', 'errorMessages is true or false')
  check(typeof generateHandle === 'function', 'generateHandle is a function')
  const secrets = options.secret === undefined ? undefined : parseSecrets(options.secret)
  const sealing = secrets && cipher({ secrets, compress: false, maxInflatedBytes: MAX_INFLATED })
  const due = new DueNews()
  const seal = new RunSeal(sealing, secrets?.[0])
  let owner: string | undefined
  return Object.freeze({
    runs,
    leaseMs,
    stepTimeoutMs,
    maxRecoveries,
    checkpoint,
    defaultTtl,
    expiredRetentionMs,
    errorMessages,
    generateHandle,
    retry: options.retry && resolveRetryPolicy(options.retry, 'DurableStateStrategy, retry'),
    seal,
    /** Where messages to others go, if they are delivered later. */
    queue:
      runs.outbox && secrets && new MessageQueue(runs.outbox, seal, new LinkKeys(secrets), due),
    /** Who this process is, to the others. A Worker draws no random numbers while it starts. */
    get owner(): string {
      return (owner ??= randomId())
    },
    ends: new RunEnds(),
    turns: new KeyTurns(),
    due,
  })
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new WfError('WF_CONFIG', `DurableStateStrategy: ${rule}.`)
}

/** When a pause expires. */
export function expiryOf(
  { runs, defaultTtl }: ResolvedDurableOptions,
  options: Partial<WfPauseOptions>,
): number | undefined {
  const lifetime = lifetimeOf(options, defaultTtl)
  if (lifetime === Infinity) return undefined
  const end = Math.floor(runs.clock.now() + lifetime)
  return Math.max(Math.min(end, Number.MAX_SAFE_INTEGER), 0)
}
