import { createEventContext, type Logger } from '@wooksjs/event-core'
import type { WfOutlet } from '../outlets'
import { isStorable, normalizeId, type WfFacts, type WfOnConflict } from '../state'
import { assertCleanKeys } from './clean-keys'
import type { WfTriggerDeps } from './deps'
import { enterCode } from './enter-code'
import { executeRun, type RunPlace } from './execute-run'
import { sendFresh } from './fresh-link'
import { peekRun } from './peek-run'
import { Rejection } from './rejection'
import { resolveRunConfig } from './resolve-run-config'
import type { RunConfig, WfRunConfig } from './run-config'
import type { RunOutcome, RunSubject } from './run-outcome'
import { assertOnConflict, assertRunKey } from './run-key'
import type { RunRequest } from './run-request'
import { type AnswerKeeper, runOnce } from './safe-retry'
import { sealInput, unstorable } from './sealed-input'
import { sendCode } from './send-code'
import { refusedStatusOf } from './thrown-status'
import { watchPause } from './watch'
import type { WfPeekResult, WfRefusedResult, WfRunResult, WfWatchResult } from './wf-run-result'
import { withoutRequest } from './without-request'
import { orWrongCode } from './wrong-code'

/** How a flow is started. */
export interface WfStartOptions {
  readonly input?: unknown
  readonly context?: unknown
  /** Who starts it, which is kept with it. */
  readonly actor?: string | undefined
  /** What steps may need to know of whoever asks, for `useWfFacts()`: an object of JSON. */
  readonly facts?: WfFacts | undefined
  /** Who is counted by `startLimit` where there is no actor. @default all alike */
  readonly client?: string | undefined
  /** What the browser has kept, of an earlier result. */
  readonly browser?: string | undefined
  /** The name of the strategy that it begins in. @default what the registry says */
  readonly strategy?: string | undefined
  /**
   * Names this start, so that it can be asked for again and happens once: at least 22 characters that
   * nobody can guess, of `A-Z a-z 0-9 _ -`. Needs a ledger.
   */
  readonly requestId?: string | undefined
  /** There may be one active run with this key, of at most 200 characters. Needs a strategy that can. */
  readonly runKey?: string | undefined
  /**
   * What becomes of this start if another run has the key. `reject`: it is refused. `join`: it comes to
   * that run. `supersede`: that run is cancelled, if it was started by the same `actor`, and this one has
   * its key. A run of another workflow is neither joined nor superseded.
   *
   * @default 'reject'
   */
  readonly onConflict?: WfOnConflict | undefined
}

/** How a flow is gone on with. */
export interface WfResumeOptions
  extends
    Pick<RunRequest, 'input' | 'action' | 'requestId' | 'browser' | 'restart'>,
    Pick<WfStartOptions, 'actor' | 'facts'> {
  /** The code that was sent to whoever has the link, where it is worthless without one: {@link WfRunner.askCode}. */
  readonly code?: string | undefined
  /** The workflow that it must be of, if that matters. */
  readonly wfid?: string | undefined
}

/** Runs workflows for whoever asks: a WebSocket, a queue, a script, a test. */
export interface WfRunner {
  start(wfid: string, options?: WfStartOptions): Promise<WfRunResult>
  resume(token: string, options?: WfResumeOptions): Promise<WfRunResult>
  /**
   * Goes on by a code that came beside a link, for whoever has started the flow: with the `watch` and the
   * `browser` of the result that said so.
   */
  enterCode(watch: string, code: string, options?: WfResumeOptions): Promise<WfRunResult>
  /** Looks at what a token stands for, and leaves it as it is. */
  peek(
    token: string,
    options?: Pick<WfResumeOptions, 'browser' | 'actor'>,
  ): Promise<WfPeekResult | WfRefusedResult>
  /**
   * Sends a link anew whose token is dead, to whoever had got it, if it is still their turn.
   *
   * @returns whether it was sent, which is not for whoever asks to know
   */
  askFresh(token: string): Promise<boolean>
  /**
   * Sends a code to the person that a link is for, if it needs one: once a minute, and five times a day.
   *
   * @returns whether it was sent, which is not for whoever asks to know
   */
  askCode(token: string, options?: Pick<WfResumeOptions, 'browser' | 'actor'>): Promise<boolean>
  /** What became of a message that went to someone else, by the `watch` of a result. */
  watch(token: string): Promise<WfWatchResult | WfRefusedResult>
}

/** Options of {@link createWfRunner}. */
export interface WfRunnerConfig<N extends string = string> extends WfRunConfig<N> {
  /** @default the console */
  readonly logger?: Logger | undefined
}

/** Whoever has asked gets the form as data. */
const CALLER: WfOutlet = { name: 'http', isRepeatable: true, deliver: () => ({}) }

/**
 * Runs workflows without HTTP, with the promises that an endpoint gives: what is not allowed is refused,
 * tokens work once, a link for one browser wants its proof, and a step that fails leaves the flow where
 * it was. A refusal is a result; what a step throws is thrown.
 *
 * @throws WfError `WF_CONFIG`
 *
 * @example
 * ```ts
 * import { createWfRunner, HandleStateStrategy, MoostWf, WfStateStoreMemory } from '@atscript/moost-wf'
 *
 * declare const wf: MoostWf
 * const state = new HandleStateStrategy({ store: new WfStateStoreMemory() })
 * const runner = createWfRunner({ allow: ['coffee/order'], state }, wf)
 *
 * const first = await runner.start('coffee/order')
 * if (first.kind === 'paused') {
 *   const next = await runner.resume(first.token, { input: { coffee: 'flat white' } })
 *   console.log(next.kind)
 * }
 * ```
 */
export function createWfRunner<const N extends string>(
  { logger = console as unknown as Logger, ...options }: WfRunnerConfig<N>,
  deps: WfTriggerDeps,
): WfRunner {
  const config = resolveRunConfig(options as WfRunConfig, CALLER)
  const inEvent = <R>(work: () => Promise<R>) =>
    createEventContext({ logger }, () => withoutRequest(work))
  return {
    start: (wfid, { context = {}, actor, facts, client = '', ...asked } = {}) =>
      inEvent(() => {
        const { input, browser, requestId, runKey, onConflict, strategy } = asked
        const request = { wfid: normalizeId(wfid), input, browser, requestId, strategy }
        const startedWith = () => [actor, context, runKey, strategy]
        const place = {
          ...placeOf({ actor, facts, client, context }),
          ...keyed(runKey, onConflict),
        }
        return run(config, deps, request, place, startedWith)
      }),
    resume: (text, { wfid, actor, facts, ...asked } = {}) =>
      inEvent(() => {
        const token = { text, issued: config.registry.forToken(text) }
        const request = { ...asked, token, wfid: wfid === undefined ? wfid : normalizeId(wfid) }
        return run(config, deps, request, placeOf({ actor, facts }))
      }),
    enterCode: (watch, code, { actor, facts, ...asked } = {}) =>
      inEvent(() => {
        const request = { ...asked, entered: { watch, code } }
        return run(config, deps, request, placeOf({ actor, facts }))
      }),
    peek: (text, { browser, actor } = {}) =>
      inEvent(() =>
        orRefused(async () => {
          const token = { text, issued: config.registry.forToken(text) }
          const { state, expiresAt, shown } = await peekRun(
            config,
            deps,
            { token, browser },
            { actor: () => actor },
          )
          const form = shown && { payload: shown.form.schema, context: shown.context }
          return { kind: 'resumable', wfid: state.schemaId, expiresAt, ...form } as const
        }),
      ),
    askFresh: text =>
      inEvent(() => sendFresh(config, { text, issued: config.registry.forToken(text) })),
    askCode: (text, { browser, actor } = {}) =>
      inEvent(() => {
        const token = { text, issued: config.registry.forToken(text) }
        return sendCode(config, deps, { token, browser }, actor)
      }),
    watch: text =>
      inEvent(() =>
        orRefused(async () => ({ kind: 'watching', ...(await watchPause(config, text)) }) as const),
      ),
  }
}

function run(
  config: RunConfig,
  deps: WfTriggerDeps,
  request: RunRequest,
  place: RunPlace<RunOutcome>,
  startedWith?: () => unknown,
): Promise<WfRunResult> {
  return orRefused(async () => {
    const clean = cleanRequest(request)
    const keeper: AnswerKeeper<WfRunResult> = { ...KEEPER, startedWith }
    const execute = async (asked: RunRequest) => {
      const { planned, ...subject } = await executeRun(config, deps, asked, place)
      return { ...subject, answer: toResult(planned, subject) }
    }
    const { entered } = clean
    const refuse: (rejection: Rejection) => WfRunResult = toRefused
    const { answer } = entered
      ? await enterCode(config, clean, entered, keeper, { run: execute, refuse: toRefused })
      : await runOnce(config, clean, keeper, () => orWrongCode(() => execute(clean), refuse))
    return answer
  })
}

/** Input may come from anywhere: what an endpoint would refuse is refused here. */
function cleanRequest(request: RunRequest): RunRequest {
  const { input, action, requestId, wfid } = request
  if (typeof input === 'object' && input !== null) assertCleanKeys(input)
  if (!isStorable([action, requestId, wfid])) throw unstorable()
  return isStorable(input) ? request : { ...request, input: sealInput(input) }
}

/** A result with cookies, which may be a session, is not given twice. */
const KEEPER = {
  keep: (result: WfRunResult) =>
    result.kind === 'finished' && result.response?.cookies ? undefined : result,
  give: (kept: unknown) => kept as WfRunResult,
}

function placeOf({
  actor,
  facts,
  client = '',
  context = {},
}: Pick<WfStartOptions, 'actor' | 'facts' | 'client' | 'context'>): RunPlace<RunOutcome> {
  return {
    actor: () => actor,
    facts: () => facts,
    client: () => client,
    initialContext: () => context,
    plan: outcome => outcome,
  }
}

function keyed(
  runKey: string | undefined,
  onConflict: WfOnConflict | undefined,
): Pick<RunPlace<RunOutcome>, 'key'> {
  assertOnConflict(onConflict)
  if (runKey === undefined) return {}
  assertRunKey(runKey)
  return { key: () => ({ runKey, onConflict }) }
}

function toResult(outcome: RunOutcome, { wfid, flowId }: RunSubject): WfRunResult {
  const flow = { wfid, flowId }
  switch (outcome.kind) {
    case 'paused': {
      const { token, expiresAt, mark } = outcome
      const { payload, context } = outcome.request
      return { kind: 'paused', ...flow, payload, context, token, expiresAt, browser: mark?.secret }
    }
    case 'sent': {
      const { outlet, isQueued: queued, watch, mark, secretCode } = outcome
      const code = watch !== undefined && secretCode !== undefined ? true : undefined
      return { kind: 'sent', ...flow, outlet, queued, watch, code, browser: mark?.secret }
    }
    case 'noted':
      return { kind: 'noted', ...flow, canChange: outcome.isSpent ? undefined : true }
    case 'retrying':
    case 'delayed':
      return { ...outcome, ...flow }
    case 'waiting':
      return { kind: 'waiting', ...flow, watch: outcome.watch }
    case 'joined':
      return { kind: 'joined', wfid, flowId: flowId!, created: false }
    case 'aborted':
      return { kind: 'finished', ...flow, data: outcome.answer, aborted: true }
    default: {
      const { response, data = response?.value } = outcome
      return { kind: 'finished', ...flow, data, response }
    }
  }
}

async function orRefused<R>(work: () => Promise<R>): Promise<R | WfRefusedResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Rejection) return toRefused(error)
    if (refusedStatusOf(error) === undefined) throw error
    return { kind: 'refused', code: 'WF_REJECTED', message: (error as Error).message }
  }
}

function toRefused({ code, message, details }: Rejection): WfRefusedResult {
  const { reason, restart, retryAfterSeconds, answered, fresh, triesLeft, current } = details
  const { payload, context } = current?.request ?? {}
  return {
    kind: 'refused',
    code,
    message,
    reason,
    restart,
    retryAfterSeconds,
    answered,
    fresh,
    triesLeft,
    current: current && { payload, context, token: current.token },
  }
}
