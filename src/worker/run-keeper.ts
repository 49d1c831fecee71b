import { WfError } from '../errors'
import type { RunConfig, WfTriggerDeps } from '../run'
import { DurableStateStrategy, type WfStateOption } from '../strategies'

/** The strategy that keeps runs, and its name in the registry. */
export interface RunKeeper {
  readonly name: string
  readonly strategy: DurableStateStrategy
}

/** The parts of an application that runs need. */
export interface RunsOf {
  readonly config: RunConfig
  readonly deps: WfTriggerDeps
  readonly keeper: RunKeeper
}

/**
 * Finds the strategy whose runs are meant.
 *
 * @param name in the registry; without it there must be one alone
 * @throws WfError `WF_CONFIG`
 */
export function findRunKeeper(state: WfStateOption, name: string | undefined): RunKeeper {
  const strategies = 'strategies' in state ? state.strategies : { default: state }
  const durable = Object.entries(strategies).filter(
    (entry): entry is [string, DurableStateStrategy] => entry[1] instanceof DurableStateStrategy,
  )
  const found = name === undefined ? durable : durable.filter(([other]) => other === name)
  const [only, ...others] = found
  if (only && others.length === 0) return { name: only[0], strategy: only[1] }
  throw new WfError(
    'WF_CONFIG',
    only
      ? `There are several durable strategies: say which, as strategy: '${only[0]}'.`
      : `There is no DurableStateStrategy${name === undefined ? '' : ` "${name}"`} in the registry.`,
  )
}
