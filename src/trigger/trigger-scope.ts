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
  readonly action: string | undefined
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

/** @throws WfError `WF_CONFIG` outside of a workflow that an outlet request runs */
export function useTriggerScope(caller: string): TriggerScope {
  const event = tryGetCurrent()
  if (!event?.has(scopeKey)) {
    throw new WfError('WF_CONFIG', `${caller} works only in a workflow that a request runs.`)
  }
  return event.get(scopeKey)
}
