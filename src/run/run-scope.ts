import { current, key, tryGetCurrent } from '@wooksjs/event-core'
import { WfError } from '../errors'
import type { WfOutlet } from '../outlets'
import type { Clock, WfLedger } from '../state'
import type { StrategyRegistry } from '../strategies/registry/strategy-registry'
import type { WfFinishedResponse } from './use-wf-finished'

/** What the steps of a run can say to the trigger that runs them. */
export interface TriggerScope {
  readonly registry: StrategyRegistry
  readonly outlets: ReadonlyMap<string, WfOutlet>
  /** Meant for the step that the client has seen: gone when that has run. */
  action: string | undefined
  readonly ledger: WfLedger | undefined
  readonly clock: Clock
  /** The strategy of the next pause. */
  strategyName: string
  finished?: WfFinishedResponse
}

const scopeKey = key<TriggerScope>('moost-wf.trigger')

export function openTriggerScope(scope: TriggerScope): TriggerScope {
  current().set(scopeKey, scope)
  return scope
}

export function findTriggerScope(): TriggerScope | undefined {
  const event = tryGetCurrent()
  return event?.has(scopeKey) ? event.get(scopeKey) : undefined
}

/** @throws WfError `WF_CONFIG` outside of a workflow that an outlet request runs */
export function useTriggerScope(caller: string): TriggerScope {
  const scope = findTriggerScope()
  if (scope) return scope
  throw new WfError('WF_CONFIG', `${caller} works only in a workflow that a request runs.`)
}
