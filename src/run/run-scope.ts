import { current, key, tryGetCurrent } from '@wooksjs/event-core'
import { WfError } from '../errors'
import type { WfOutlet } from '../outlets'
import type {
  Awaitable,
  Clock,
  WfFacts,
  WfLedger,
  WfProgress,
  WfState,
  WfStepBehind,
} from '../state'
import type { StrategyRegistry } from '../strategies'
import type { FailedStep } from './give-back'
import type { PanelTurn } from './panel-turn'
import type { RunConfig } from './run-config'
import type { WfFinishedResponse } from './use-wf-finished'

/** What whoever runs the steps must do between them. */
export interface RunHooks {
  /** The workflow whose run they are of. */
  readonly schemaId: string
  /** Runs a step, where it matters which one does what. */
  readonly inStep: (<R>(step: () => Awaitable<R>) => Awaitable<R>) | undefined
  /** Called when a step has run, whatever came of it. */
  stepDone(): void
  /** Called when a step has thrown, with its position. */
  stepFailed(position: readonly number[]): void
  /** Saves the run behind a step; awaited before the next one. */
  readonly checkpoint: ((state: WfState, behind?: WfStepBehind) => Awaitable<void>) | undefined
}

/** What the steps of a run can know of it. */
export interface RunningSteps extends Partial<WfProgress> {
  readonly flowId: string
  /** How often the flow has paused. */
  readonly seq: number
  readonly signal?: (() => AbortSignal | undefined) | undefined
}

/** What is known of the run that a scope is for. A look at one has no steps. */
export interface ScopeOptions {
  readonly action?: string | undefined
  readonly step?: RunningSteps | undefined
  readonly facts?: (() => WfFacts | undefined) | undefined
  /** Opens that of the step which runs, or gives it. Gone when no step runs any more. */
  transaction?: ((space?: object) => Promise<object>) | undefined
  /** Nobody has asked for it: it goes on by itself. */
  readonly isUnasked?: boolean | undefined
  /** What several people have said, where its pause has asked several. */
  readonly panel?: PanelTurn | undefined
}

/** What the steps of a run can say to what runs them. */
export interface RunScope extends Omit<ScopeOptions, 'action'> {
  readonly registry: StrategyRegistry
  readonly outlets: ReadonlyMap<string, WfOutlet>
  /** Meant for the step that the client has seen: gone when that has run. */
  action: string | undefined
  readonly ledger: WfLedger | undefined
  readonly clock: Clock
  /** How many steps have run. */
  stepsRun: number
  /** The step that runs, or none, where that is told. */
  place?: object | null | undefined
  /** Fires for the step that runs, where that may not run for ever. */
  stepSignal?: AbortSignal | undefined
  /** The step that has thrown, if one has. */
  failedStep?: FailedStep | undefined
  /** The strategy of the next pause. */
  strategyName: string
  finished?: WfFinishedResponse
  /** The same, said by a function of the workflow app's own package. */
  heard?: WfFinishedResponse | undefined
  /** For the run that this scope is of, which takes them: not for a run that one of its steps starts. */
  hooks?: RunHooks | undefined
}

const scopeKey = key<RunScope>('moost-wf.scope')

/** Opens the scope of a run in the event that it takes place in. */
export function openRunScope(
  { registry, outlets, ledger, clock }: RunConfig,
  strategyName: string,
  { action, ...options }: ScopeOptions = {},
): RunScope {
  const scope: RunScope = {
    ...options,
    registry,
    outlets,
    ledger,
    clock,
    strategyName,
    action,
    stepsRun: 0,
  }
  current().set(scopeKey, scope)
  return scope
}

export function findRunScope(): RunScope | undefined {
  const event = tryGetCurrent()
  return event?.has(scopeKey) ? event.get(scopeKey) : undefined
}

/** The hooks of the run that is about to begin. In the scope, because a hand-written app would drop them. */
export function takeRunHooks(schemaId: string): RunHooks | undefined {
  const scope = findRunScope()
  const hooks = scope?.hooks
  if (!hooks || hooks.schemaId !== schemaId) return undefined
  scope!.hooks = undefined
  return hooks
}

/** @throws WfError `WF_CONFIG` outside of a workflow that a request runs */
export function useRunScope(caller: string): RunScope {
  const scope = findRunScope()
  if (scope) return scope
  throw new WfError('WF_CONFIG', `${caller} works only in a workflow that a request runs.`)
}
