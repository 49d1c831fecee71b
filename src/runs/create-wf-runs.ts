import { createEventContext, type Logger } from '@wooksjs/event-core'
import { WfError } from '../errors'
import { resolveRunConfig, type WfRunnerConfig, type WfTriggerDeps } from '../run'
import type { WfRunStore } from '../state'
import type { WfFilter } from '../store'
import {
  BUDGET_MS,
  DueWork,
  findRunKeeper,
  keyOf,
  MessageSource,
  resolveOutboxOptions,
  runDue,
  QueuedRuns,
  RunSource,
  Retention,
  type WfQueue,
  Worker,
  type WfOutboxOptions,
  type WfWorkerOptions,
} from '../worker'
import { answerRun } from './answer-run'
import { countRuns, countRunsBy } from './count-runs'
import { awaitResult } from './await-result'
import { readMessage } from './read-message'
import { recordResult } from './record-result'
import { restoreRun } from './restore-run'
import { reassign, resend } from './resend'
import { historyOf, messagesOf } from './run-messages'
import { linksOf, reissue } from './run-links'
import { listRuns } from './run-pages'
import { snapshotOf } from './run-snapshot'
import { viewOf } from './run-view'
import { acceptRun } from './start-run'
import type { WfRuns } from './wf-runs'

const GRACE_MS = 10_000
const A_MONTH_MS = 30 * 24 * 60 * 60_000

/** Options of {@link createWfRuns}. */
export interface WfRunsConfig extends WfRunnerConfig {
  /** The name of the durable strategy in the registry. @default the only one that there is */
  readonly strategy?: string | undefined
  /**
   * Where runs are sent that have to go on: a consumer of yours calls {@link WfRuns.execute} for each.
   * @default this process goes on with them
   */
  readonly queue?: WfQueue | undefined
  /** Who goes on with runs by itself, in their history. @default 'worker' */
  readonly workerName?: string | undefined
  /**
   * How this process does by itself what is due. `false` where others do, or a scheduler of yours calls
   * {@link WfRuns.runDue}.
   * @default a look each second, ten runs at once
   */
  readonly worker?: false | WfWorkerOptions | undefined
  /**
   * How messages are delivered that wait in an outbox. `false` where other processes do that.
   * @default for a day, at most 15 minutes apart
   */
  readonly outbox?: false | WfOutboxOptions | undefined
  /**
   * Milliseconds for which runs that have ended are kept, with their history and their links. `Infinity`
   * keeps them.
   * @default 30 days
   */
  readonly retentionMs?: number | undefined
}

/** Nobody is there who could be asked. */
const NOBODY = { name: 'http', deliver: () => ({}) }

/**
 * Starts, finds and changes durable runs, and goes on with them by itself: whatever is due is done, whichever
 * process it belonged to.
 *
 * @throws WfError `WF_CONFIG`
 *
 * @example
 * ```ts
 * import { createWfRuns, MoostWf } from '@atscript/moost-wf'
 * import { DurableStateStrategy } from '@atscript/moost-wf/strategies'
 * import { WfRunStoreMemory } from '@atscript/moost-wf/store'
 *
 * declare const wf: MoostWf
 * const durable = new DurableStateStrategy({ runs: new WfRunStoreMemory() })
 * const runs = createWfRuns({ state: { strategies: { durable }, default: 'durable' } }, wf)
 *
 * const { flowId } = await runs.start('orders/ship', { input: { order: 7 } })
 * console.log(await runs.result(flowId))
 * ```
 */
export function createWfRuns<Row extends object = object>(
  options: WfRunsConfig,
  deps: WfTriggerDeps,
): WfRuns<WfFilter<Row>> {
  const { logger = console as unknown as Logger, strategy: name } = options
  const { worker = {}, workerName = 'worker', retentionMs = A_MONTH_MS } = options
  const config = resolveRunConfig(options, NOBODY)
  const keeper = findRunKeeper(options.state, name)
  const { strategy } = keeper
  const all = { config, deps, keeper }
  const direct = new RunSource(all, workerName)
  const { queue } = options
  const source = queue ? new QueuedRuns(direct, queue, () => strategy.runs.clock.now()) : direct
  const { budgetMs = BUDGET_MS } = worker || {}
  const { messages } = strategy
  const outbox = options.outbox === false ? undefined : resolveOutboxOptions(options.outbox ?? {})
  const sending = messages && outbox && new MessageSource(all, messages, outbox)
  const work = new DueWork(sending ? [source, sending] : [source], logger)
  const looking = new Worker(work, {
    now: () => strategy.runs.clock.now(),
    listen: told => strategy.due.listen(told),
    logger,
  })
  const retention = new Retention(strategy.runs, retentionMs, logger)
  const startWorker = (how: WfWorkerOptions = {}) => {
    looking.start(how)
    retention.start()
  }
  if (worker !== false) startWorker(worker)

  const within = (transaction: object | undefined): WfRunStore | undefined => {
    if (transaction === undefined) return undefined
    if (strategy.runs.within) return strategy.runs.within(transaction)
    throw new WfError('WF_CONFIG', 'These runs are in no database: there are no transactions.')
  }
  const columns = () => strategy.runs.columns?.() ?? []
  const at = (transaction: object | undefined) => within(transaction) ?? strategy.runs

  return {
    start: async (wfid, asked = {}) => {
      const inside = within(asked.transaction)
      const writtenTo = inside ?? (queue && strategy.runs)
      const { open, ...started } = await acceptRun(all, wfid, asked, writtenTo)
      const { flowId } = started
      if (queue && !inside) void work.take(source, flowId, budgetMs)
      if (open) {
        const isOver = strategy.manage.ends.expect(flowId)
        const going = work.attend(keyOf(source, flowId), budgetMs, term => direct.goOn(open, term))
        void going.finally(isOver)
      }
      return started
    },
    answer: async (token, { transaction, ...answer }) => {
      const answered = await createEventContext({ logger }, () =>
        answerRun(all, token, answer, within(transaction)),
      )
      if (transaction === undefined) void work.take(source, answered.flowId, budgetMs)
      return answered
    },
    get: async (flowId, { transaction } = {}) => {
      const run = await at(transaction).find(flowId)
      return run && viewOf(run, columns())
    },
    getMany: async (flowIds, { transaction } = {}) =>
      (await at(transaction).getMany(flowIds)).map(run => viewOf(run, columns())),
    list: ({ transaction, ...query } = {}) => listRuns(at(transaction), query),
    count: filter => countRuns(strategy.runs, filter),
    countBy: (column, how) => countRunsBy(strategy.runs, column, how),
    result: (flowId, waiting = {}) => awaitResult(keeper, flowId, waiting),
    cancel: (flowId, { transaction, ...how } = {}) =>
      strategy.manage.cancel(flowId, { ...how, within: within(transaction) }),
    extend: async (flowId, { ttlMs, transaction, ...how }) => {
      if (!(ttlMs > 0)) throw new TypeError('ttlMs is a positive number.')
      const { clock } = strategy.runs
      const until = Math.floor(Math.min(clock.now() + ttlMs, Number.MAX_SAFE_INTEGER))
      return (
        (await strategy.manage.extend(flowId, until, { ...how, within: within(transaction) })) ??
        false
      )
    },
    signal: async (flowId, signalName, payload = {}, { transaction, actor } = {}) => {
      const signal = { name: signalName, payload, actor, within: within(transaction) }
      const isAwaited = await strategy.manage.signal(flowId, signal)
      if (isAwaited && transaction === undefined) void work.take(source, flowId, budgetMs)
      return isAwaited
    },
    links: flowId => linksOf(keeper, flowId),
    reissue: (flowId, how) => reissue(keeper, flowId, how),
    messages: (flowId, { transaction } = {}) => messagesOf(at(transaction), flowId),
    readMessage: (flowId, messageId) => readMessage(keeper, flowId, messageId),
    resend: (messageId, how = {}) => resend(config, keeper, messageId, how),
    reassign: (flowId, how) => reassign(config, keeper, flowId, how),
    columns,
    retry: async (flowId, { transaction, ...how } = {}) => {
      const retried = await strategy.manage.retry(flowId, { ...how, within: within(transaction) })
      // One whose answer was not kept waits for whoever has the link.
      const isActive = async () => (await strategy.runs.find(flowId))?.status === 'active'
      if (retried && transaction === undefined && (await isActive()))
        void work.take(source, flowId, budgetMs)
      return retried ?? false
    },
    update: (flowId, expectedVersion, change, { transaction, ...how } = {}) =>
      strategy.manage.update(flowId, expectedVersion, change, {
        ...how,
        within: within(transaction),
      }),
    recordStepResult: (flowId, stepId, output, { transaction, ...how } = {}) =>
      recordResult(keeper, flowId, stepId, output, { ...how, within: within(transaction) }),
    history: (flowId, { transaction } = {}) => historyOf(at(transaction), flowId),
    getSnapshot: async (flowId, { transaction } = {}) => {
      const runs = at(transaction)
      const run = await runs.find(flowId)
      if (!run) return null
      const [events, links] = [await runs.history(flowId), await runs.links(flowId)]
      const signals = (await runs.signals?.of(flowId)) ?? []
      return snapshotOf(run, events, links, signals, deps.describe?.(run.schemaId))
    },
    restore: (snapshot, { transaction, ...how }) =>
      restoreRun(at(transaction), snapshot, how, strategy.manage.placed),
    execute: async (flowId, how = {}) => {
      const { budgetMs: forMs = budgetMs } = how
      const key = keyOf({ kind: 'executed' }, flowId)
      const became = await work.attend(key, forMs, term => direct.attend(flowId, term))
      return { done: became !== 'handed on' }
    },
    runDue: (how = {}) => runDue(work, how),
    startWorker,
    stop: async ({ graceMs = GRACE_MS } = {}) => {
      retention.stop()
      await Promise.all([work.stop(graceMs), looking.stop()])
    },
  }
}
