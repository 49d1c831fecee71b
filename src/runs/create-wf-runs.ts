import type { Logger } from '@wooksjs/event-core'
import { WfError } from '../errors'
import { resolveRunConfig, type WfRunnerConfig, type WfTriggerDeps } from '../run'
import type { WfRunStore } from '../state'
import type { WfFilter } from '../store'
import { awaitResult } from './await-result'
import { recordResult } from './record-result'
import { goOn } from './recover-runs'
import { Recovery, type WfRecoveryOptions } from './recovery'
import { restoreRun } from './restore-run'
import { findRunKeeper } from './run-keeper'
import { linksOf, reissue } from './run-links'
import { listRuns } from './run-pages'
import { snapshotOf } from './run-snapshot'
import { viewOf } from './run-view'
import { acceptRun } from './start-run'
import { startRetention } from './retention'
import type { WfRuns } from './wf-runs'

const A_MONTH_MS = 30 * 24 * 60 * 60_000

/** Options of {@link createWfRuns}. */
export interface WfRunsConfig extends WfRunnerConfig {
  /** The name of the durable strategy in the registry. @default the only one that there is */
  readonly strategy?: string | undefined
  /** Who goes on with runs by itself, in their history. @default 'recovery' */
  readonly worker?: string | undefined
  /**
   * Whether this process looks after runs that are stuck, and how. `false` where others do.
   * @default once a second
   */
  readonly recovery?: false | WfRecoveryOptions | undefined
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
 * Starts, finds and changes durable runs, and looks after them: whatever is stuck goes on, whichever
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
  const { logger = console as unknown as Logger, strategy: name, worker = 'recovery' } = options
  const { recovery = {}, retentionMs = A_MONTH_MS } = options
  const config = resolveRunConfig(options, NOBODY)
  const keeper = findRunKeeper(options.state, name)
  const { strategy } = keeper
  const all = { config, deps, keeper }
  const looking = new Recovery(all, worker, logger)
  if (recovery !== false) looking.start(recovery)
  const stopRetention =
    recovery === false ? () => {} : startRetention(strategy.runs, retentionMs, logger)

  const within = (transaction: object | undefined): WfRunStore | undefined => {
    if (transaction === undefined) return undefined
    if (strategy.runs.within) return strategy.runs.within(transaction)
    throw new WfError('WF_CONFIG', 'These runs are in no database: there are no transactions.')
  }
  const columns = () => strategy.runs.columns?.() ?? []
  const at = (transaction: object | undefined) => within(transaction) ?? strategy.runs

  return {
    start: async (wfid, asked = {}) => {
      const { flowId, open } = await acceptRun(all, wfid, asked, within(asked.transaction))
      if (open) void looking.attend(flowId, () => goOn(all, open))
      return { flowId }
    },
    get: async (flowId, { transaction } = {}) => {
      const run = await at(transaction).find(flowId)
      return run && viewOf(run, columns())
    },
    getMany: async (flowIds, { transaction } = {}) =>
      (await at(transaction).getMany(flowIds)).map(run => viewOf(run, columns())),
    list: ({ transaction, ...query } = {}) => listRuns(at(transaction), query),
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
    links: flowId => linksOf(keeper, flowId),
    reissue: (flowId, how) => reissue(keeper, flowId, how),
    columns,
    retry: async (flowId, { transaction, ...how } = {}) => {
      const retried = await strategy.manage.retry(flowId, { ...how, within: within(transaction) })
      // One whose answer was not kept waits for whoever has the link.
      const isActive = async () => (await strategy.runs.find(flowId))?.status === 'active'
      if (retried && transaction === undefined && (await isActive()))
        void looking.takeUp({ flowId })
      return retried ?? false
    },
    update: (flowId, expectedVersion, change, { transaction, ...how } = {}) =>
      strategy.manage.update(flowId, expectedVersion, change, {
        ...how,
        within: within(transaction),
      }),
    recordStepResult: (flowId, stepId, output, { transaction, ...how } = {}) =>
      recordResult(keeper, flowId, stepId, output, { ...how, within: within(transaction) }),
    history: (flowId, { transaction } = {}) => at(transaction).history(flowId),
    getSnapshot: async (flowId, { transaction } = {}) => {
      const runs = at(transaction)
      const run = await runs.find(flowId)
      if (!run) return null
      const [events, links] = [await runs.history(flowId), await runs.links(flowId)]
      return snapshotOf(run, events, links, deps.describe?.(run.schemaId))
    },
    restore: (snapshot, { transaction, ...how }) =>
      restoreRun(at(transaction), snapshot, how, strategy.manage.placed),
    recover: (how = {}) => looking.recover(how),
    stop: async () => {
      stopRetention()
      await looking.stop()
    },
  }
}
