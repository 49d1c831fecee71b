import { useLogger } from '@wooksjs/event-core'
import { type Awaitable, isRecord, sleep } from '../state'
import { browserHash, isRightBrowser } from './browser-mark'
import { readCode } from './link-code'
import { Rejection } from './rejection'
import { RetryIdentity } from './retry-identity'
import type { RunConfig } from './run-config'
import type { RunSubject } from './run-outcome'
import type { RunRequest } from './run-request'
import type { RequestToken } from './request-token'
import { readThrough } from './sealed-input'
import { isRunning, markAsRunning, type RunningMark } from './running-mark'

const ANSWER = 'answer'
const ANSWERS_OF_FLOW = 'answers-of-flow'
/** A person presses a button a few times within the window; what sends more does not need it. */
const MAX_ANSWERS_OF_FLOW = 20
/** Larger answers are not kept. Most are a form of a few thousand characters. */
const MAX_ANSWER_BYTES = 32 * 1024
const FIRST_LOOK_MS = 10
const LAST_LOOK_MS = 250
const PATIENCE_MS = 15_000
const LONGEST_TOKEN = 64 * 1024
/** As many characters as a random id of 128 bits has: the only secret of a start. */
const UNGUESSABLE = /^[\w-]{22,}$/u

/** What is kept of a request that was answered. */
interface KeptAnswer extends RunSubject {
  readonly digest: string
  /** A hash of what the browser is known by that had asked, if it had shown anything. */
  readonly asker?: string
  /** Not there if it must not be given twice, or is too large to be kept. */
  readonly given?: unknown
}

/** An answer that was given. */
export interface Answered<T> extends RunSubject {
  readonly answer: T
  /** The flow has come to its end. */
  readonly ended?: boolean
  /** Nothing has happened that must not happen twice. */
  readonly isOnlyShown?: true | undefined
  /** It was given before, to the same request. */
  readonly isRepeated?: true | undefined
}

/** How answers are kept and given again where a run takes place. */
export interface AnswerKeeper<T> {
  /** The answer as JSON; `undefined` if it must not be given twice. */
  keep(answer: T): unknown
  /** The answer again, from what was kept. */
  give(kept: unknown): T
  /** Whether nobody waits for the answer any more. */
  isForsaken?(): boolean
  /** What a start depends on beside its input: who asks, and what else was sent. */
  startedWith?(): Awaitable<unknown>
}

/**
 * Runs a request, or gives the answer that the same request has got already: the same token, request
 * id and input. A start has no token: it is known by its id if nobody can guess that. Where a code was
 * entered, what the flow is watched by takes the place of the token. Of any number of
 * such requests at once one runs; the others wait for its answer.
 *
 * Without a ledger, or without a request id, every request runs.
 */
export function runOnce<T, R extends Answered<T>>(
  config: RunConfig,
  request: RunRequest,
  keeper: AnswerKeeper<T>,
  run: () => Promise<R>,
): Promise<R | Answered<T>> {
  const { token, requestId, entered } = request
  if (!config.ledger || requestId === undefined) return run()
  if (entered) {
    const identity = RetryIdentity.ofCode(String(entered.watch), requestId)
    const digest = digestOf(identity, request, [readCode(entered.code) ?? entered.code])
    return runOrRepeat(config, request, { identity, digest }, keeper, run)
  }
  if (isStart(request) && UNGUESSABLE.test(requestId)) {
    return startOrRepeat(config, request, requestId, keeper, run)
  }
  // A token that is none leaves no trace.
  if (!isToken(token)) return run()
  const identity = RetryIdentity.ofResume(String(token.text), requestId)
  return runOrRepeat(
    config,
    request,
    { identity, digest: digestOf(identity, request, codeIn(request)) },
    keeper,
    run,
  )
}

/** Whether a flow is to begin. A token that may be left over is no part of what was asked for. */
function isStart({ token, wfid, mayBeLeftOver }: RunRequest): boolean {
  return wfid !== undefined && (token === undefined || mayBeLeftOver === true)
}

async function startOrRepeat<T, R extends Answered<T>>(
  config: RunConfig,
  request: RunRequest,
  requestId: string,
  keeper: AnswerKeeper<T>,
  run: () => Promise<R>,
): Promise<R | Answered<T>> {
  const { wfid = '' } = request
  // What is refused anyway leaves no trace.
  if (!config.allows(wfid)) return run()
  const identity = RetryIdentity.ofStart(requestId)
  const digest = digestOf(identity, request, [wfid, await keeper.startedWith?.()])
  return runOrRepeat(config, request, { identity, digest }, keeper, run)
}

/** Whoever has the link and no code, or another one, does not ask for the same. */
function codeIn({ code }: RunRequest): unknown[] {
  return code === undefined ? [] : [readCode(code) ?? code]
}

function digestOf(identity: RetryIdentity, { input, action }: RunRequest, more: unknown[] = []) {
  return identity.digest([readThrough(input), action, ...more])
}

async function runOrRepeat<T, R extends Answered<T>>(
  config: RunConfig,
  request: RunRequest,
  { identity, digest }: { readonly identity: RetryIdentity; readonly digest: string },
  keeper: AnswerKeeper<T>,
  run: () => Promise<R>,
): Promise<R | Answered<T>> {
  const earlier = await earlierAnswer(config, identity, keeper)
  if ('digest' in earlier) return repeat(config, request, earlier, digest, keeper)
  try {
    const answered = await run()
    if (answered.isOnlyShown) return answered
    const asker = request.browser && browserHash(request.browser)
    await keepAnswer(config, identity, { digest, asker }, answered, keeper)
    return answered
  } finally {
    // Either the answer is there, or it has not happened and the next one may try.
    await earlier.remove().catch(logFailure)
  }
}

/** Keeps the answer for those who ask again. It has been given, whether or not that works. */
async function keepAnswer<T>(
  { ledger, clock, replayWindow }: RunConfig,
  identity: RetryIdentity,
  asked: Pick<KeptAnswer, 'digest' | 'asker'>,
  { wfid, flowId, browser, answer, ended }: Answered<T>,
  keeper: AnswerKeeper<T>,
): Promise<void> {
  if (!ledger) return
  const until = clock.now() + replayWindow
  try {
    const count = flowId === undefined ? 1 : await ledger.increment(ANSWERS_OF_FLOW, flowId, until)
    // Room for the end, however many forms were before it.
    if (count > (ended ? 2 * MAX_ANSWERS_OF_FLOW : MAX_ANSWERS_OF_FLOW)) return
    const about: KeptAnswer = { ...asked, wfid, flowId, browser }
    const whole = JSON.stringify({ ...about, given: keeper.keep(answer) })
    const isSmall = new TextEncoder().encode(whole).length <= MAX_ANSWER_BYTES
    const text = isSmall ? whole : JSON.stringify(about)
    await ledger.put(ANSWER, identity.id, identity.seal(text), until)
  } catch (error) {
    logFailure(error)
  }
}

function logFailure(error: unknown): void {
  useLogger().error('The ledger failed: this request cannot be repeated safely', error)
}

/** The answer to the same request, waited for if it is under way; a mark if this one is to run. */
async function earlierAnswer(
  config: RunConfig,
  identity: RetryIdentity,
  { isForsaken }: AnswerKeeper<unknown>,
): Promise<KeptAnswer | RunningMark> {
  const deadline = performance.now() + PATIENCE_MS
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_LOOK_MS)) {
    // The mark first: who has it sees every answer that was there before, because those who answer
    // remove theirs last.
    const isWaiting = pauseMs > FIRST_LOOK_MS && (await isRunning(config, identity.id))
    const mark = isWaiting ? undefined : await markAsRunning(config, identity.id)
    const entry = await config.ledger?.get(ANSWER, identity.id)
    if (entry?.data !== undefined) {
      await mark?.remove()
      return readKept(identity.open(entry.data))
    }
    if (mark) return mark
    if (performance.now() > deadline || isForsaken?.()) {
      throw new Rejection('WF_BUSY', { reason: 'busy', retryAfterSeconds: 1 })
    }
    await sleep(pauseMs)
  }
}

function readKept(text: string): KeptAnswer {
  const kept: unknown = JSON.parse(text)
  if (isRecord(kept) && typeof kept.digest === 'string') return kept as unknown as KeptAnswer
  throw new TypeError('What was kept is no answer.')
}

function repeat<T>(
  { allows }: RunConfig,
  { wfid, browser }: RunRequest,
  earlier: KeptAnswer,
  digest: string,
  keeper: AnswerKeeper<T>,
): Answered<T> {
  if (!allows(earlier.wfid)) throw new Rejection('WF_NOT_ALLOWED', { reason: 'not-allowed' })
  const isAsker = earlier.asker === undefined || (browser && browserHash(browser)) === earlier.asker
  if (!isAsker || !isRightBrowser(browser, earlier)) {
    throw new Rejection('WF_WRONG_BROWSER', { reason: 'wrong-browser' })
  }
  if (wfid !== undefined && wfid !== earlier.wfid) {
    throw new Rejection('WF_MISMATCH', { reason: 'mismatch' })
  }
  if (earlier.digest !== digest) throw new Rejection('WF_REQUEST_CHANGED')
  if (earlier.given === undefined) {
    throw new Rejection('WF_FINISHED', { restart: { wfid: earlier.wfid } })
  }
  return { wfid: earlier.wfid, answer: keeper.give(earlier.given), isRepeated: true }
}

function isToken(token: RequestToken | undefined): token is RequestToken {
  return token !== undefined && token.issued !== null && token.issued.raw.length <= LONGEST_TOKEN
}
