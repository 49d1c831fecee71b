import { WfError } from '../errors'
import type { WfOutlet } from '../outlets'
import { normalizeId, systemClock, TOMBSTONE_TTL_MS, type WfLedger } from '../state'
import { StrategyRegistry } from '../strategies'
import { paced, resolveFresh } from './fresh-options'
import type { RunConfig, WfRunConfig } from './run-config'
import { StartPace } from './start-pace'
import { assertStartLimit } from './start-limit'

const LEDGER_METHODS = ['spend', 'restore', 'increment', 'put', 'get'] as const
const DEFAULT_REPLAY_WINDOW_MS = 2 * 60_000
const DEFAULT_ANONYMOUS_TTL_MS = 24 * 60 * 60_000

/**
 * Checks how workflows are to be run, and fills in the defaults.
 *
 * @param byDefault the outlet that answers the caller, unless there is one of its name
 * @throws WfError `WF_CONFIG`
 */
export function resolveRunConfig(config: WfRunConfig, byDefault: WfOutlet): RunConfig {
  const { maxLifetime, anonymousTtlMs = DEFAULT_ANONYMOUS_TTL_MS } = config
  const { clock = systemClock } = config
  for (const name of ['onFinished', 'onMoved'] as const) {
    if (config[name] !== undefined && typeof config[name] !== 'function') {
      throw new WfError('WF_CONFIG', `${name} is a function.`)
    }
  }
  if (typeof clock.now !== 'function') throw new WfError('WF_CONFIG', 'clock has a now().')
  assertLedger(config.ledger)
  assertIds('allow', config.allow)
  assertIds('block', config.block)
  assertStartLimit(config.startLimit, config.ledger)
  assertPositive('maxLifetime', maxLifetime)
  if (anonymousTtlMs !== Infinity) assertPositive('anonymousTtlMs', anonymousTtlMs)
  assertPositive('replayWindow', config.replayWindow)
  assertPositive('tombstoneTtl', config.tombstoneTtl)
  return {
    allows: allowance(config),
    registry: new StrategyRegistry(config.state, clock),
    outlets: resolveOutlets(config.outlets ?? [], byDefault),
    onFinished: config.onFinished,
    onMoved: config.onMoved,
    maxLifetime,
    anonymousTtlMs,
    startLimit: config.startLimit,
    ledger: config.ledger,
    replayWindow: config.replayWindow ?? DEFAULT_REPLAY_WINDOW_MS,
    fresh: resolveFresh(config.freshLinks, config.ledger),
    codes: config.ledger && paced(),
    tombstoneTtl: config.tombstoneTtl ?? TOMBSTONE_TTL_MS,
    clock,
    pace: new StartPace(),
  }
}

function allowance({ allow, block = [] }: WfRunConfig): (wfid: string) => boolean {
  const allowed = allow && new Set(allow.map(normalizeId))
  const blocked = new Set(block.map(normalizeId))
  return wfid => !blocked.has(normalizeId(wfid)) && (allowed?.has(normalizeId(wfid)) ?? true)
}

function resolveOutlets(outlets: readonly WfOutlet[], byDefault: WfOutlet) {
  const byName = new Map<string, WfOutlet>()
  for (const outlet of outlets) {
    if (typeof outlet?.name !== 'string' || typeof outlet.deliver !== 'function') {
      throw new WfError('WF_CONFIG', 'An outlet has a name and a deliver().')
    }
    if (byName.has(outlet.name)) {
      throw new WfError('WF_CONFIG', `There are two outlets with the name "${outlet.name}".`)
    }
    byName.set(outlet.name, outlet)
  }
  return byName.has(byDefault.name) ? byName : byName.set(byDefault.name, byDefault)
}

function assertLedger(ledger: WfLedger | undefined): void {
  if (ledger === undefined) return
  if (!LEDGER_METHODS.every(method => typeof ledger?.[method] === 'function')) {
    throw new WfError('WF_CONFIG', `ledger has ${LEDGER_METHODS.join(', ')}.`)
  }
}

function assertIds(name: string, ids: readonly string[] | undefined): void {
  if (ids === undefined) return
  if (!Array.isArray(ids) || !ids.every(id => typeof id === 'string')) {
    throw new WfError('WF_CONFIG', `${name} is a list of workflow ids.`)
  }
}

function assertPositive(name: string, value: number | undefined): void {
  if (value !== undefined && !(Number.isFinite(value) && value > 0)) {
    throw new WfError('WF_CONFIG', `${name} is a positive number.`)
  }
}
