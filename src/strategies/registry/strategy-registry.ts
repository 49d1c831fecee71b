import { WfError } from '../../errors'
import {
  type Clock,
  isRecord,
  parseToken,
  systemClock,
  TOKEN_NAME,
  type WfGuarantees,
  type WfStateStrategy,
} from '../../state'
import { completeStrategy, type CompleteStrategy } from './complete-strategy'

/** A strategy with promises that it does not make itself, because it was written for another trigger. */
export interface WfStrategyEntry {
  readonly strategy: WfStateStrategy
  readonly guarantees: WfGuarantees
}

/** Named strategies, and which of them a workflow starts on. */
export interface WfStrategyRegistry<N extends string = string> {
  readonly strategies: Readonly<Record<N, WfStateStrategy | WfStrategyEntry>>
  readonly default: NoInfer<N> | ((wfid: string) => NoInfer<N>)
  /** Takes the pauses whose state does not fit where it should go. */
  readonly overflow?: NoInfer<N> | undefined
}

/** One strategy, which is then called `default`, or several by name. */
export type WfStateOption<N extends string = string> = WfStateStrategy | WfStrategyRegistry<N>

export interface NamedStrategy {
  readonly name: string
  readonly strategy: CompleteStrategy
}

/** A token that a strategy of the registry may have issued, parsed. */
export interface IssuedToken extends NamedStrategy {
  /** What the strategy knows it by. */
  readonly raw: string
}

/** Finds strategies by workflow, by name and by token. */
export class StrategyRegistry {
  readonly #strategies: ReadonlyMap<string, CompleteStrategy>
  readonly #default: string | ((wfid: string) => string)
  /** Takes the pauses whose state does not fit where it should go. */
  readonly overflow: NamedStrategy | undefined

  /** @throws WfError `WF_CONFIG` */
  constructor(option: WfStateOption, clock = systemClock) {
    const registry = toRegistry(option)
    this.#strategies = new Map(
      Object.entries(registry.strategies).map(entry => completeEntry(entry, clock)),
    )
    this.#default = registry.default
    this.overflow = registry.overflow === undefined ? undefined : this.named(registry.overflow)
    if (typeof this.#default === 'string') this.named(this.#default)
    else if (typeof this.#default !== 'function') {
      throw new WfError(
        'WF_CONFIG',
        'state.default is a strategy name or a function of the workflow id.',
      )
    }
  }

  /** The strategy on which a workflow starts. */
  forWorkflow(wfid: string): NamedStrategy {
    return this.named(typeof this.#default === 'string' ? this.#default : this.#default(wfid))
  }

  has(name: string): boolean {
    return this.#strategies.has(name)
  }

  /** @throws WfError `WF_CONFIG` when there is none of that name */
  named(name: string): NamedStrategy {
    const strategy = this.#strategies.get(name)
    if (!strategy) {
      const names = [...this.#strategies.keys()].join(', ') || 'none'
      throw new WfError('WF_CONFIG', `There is no state strategy "${name}"; there is: ${names}.`)
    }
    return { name, strategy }
  }

  /** The strategy that issued a token, and the token as that strategy knows it. */
  forToken(text: unknown): IssuedToken | null {
    const token = parseToken(text)
    const strategy = token && this.#strategies.get(token.name)
    return strategy ? { name: token.name, strategy, raw: token.raw } : null
  }
}

function toRegistry(option: WfStateOption): WfStrategyRegistry {
  if (typeof option === 'function') {
    throw new WfError(
      'WF_CONFIG',
      'state: (wfid) => strategy was removed. Write state: { strategies: { a, b }, default: (wfid) => name }.',
    )
  }
  if (typeof option !== 'object' || option === null) {
    throw new WfError('WF_CONFIG', 'state is a strategy, or { strategies, default }.')
  }
  return 'strategies' in option ? option : { strategies: { default: option }, default: 'default' }
}

function completeEntry(
  [name, entry]: [string, WfStateStrategy | WfStrategyEntry],
  clock: Clock,
): [string, CompleteStrategy] {
  const { strategy, guarantees } = toEntry(entry)
  if (!TOKEN_NAME.test(name)) {
    throw new WfError('WF_CONFIG', `The strategy name "${name}" may have only A-Z a-z 0-9 _ and -.`)
  }
  if (guarantees?.singleUse && strategy?.guarantees?.singleUse === false) {
    throw new WfError(
      'WF_CONFIG',
      `The strategy "${name}" says itself that its tokens can be used more than once: its entry cannot promise otherwise.`,
    )
  }
  for (const method of ['persist', 'retrieve', 'consume'] as const) {
    if (typeof strategy?.[method] !== 'function') {
      throw new WfError('WF_CONFIG', `The strategy "${name}" has no ${method}().`)
    }
  }
  return [name, completeStrategy(strategy.forName?.(name) ?? strategy, clock, guarantees)]
}

function toEntry(entry: WfStateStrategy | WfStrategyEntry): Partial<WfStrategyEntry> & {
  readonly strategy: WfStateStrategy
} {
  return isEntry(entry) ? entry : { strategy: entry }
}

/** A strategy may have a field of that name, because it stands in front of another. */
function isEntry(entry: WfStateStrategy | WfStrategyEntry): entry is WfStrategyEntry {
  return isRecord(entry) && 'strategy' in entry && !('persist' in entry)
}
