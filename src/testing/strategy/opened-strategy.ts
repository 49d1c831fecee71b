import {
  notesOf,
  type WfClaim,
  type WfPaused,
  type WfState,
  type WfStateStrategy,
  withNotes,
} from '../../state'

/** A strategy that is to be tested, and the clock that decides what has expired in it. */
export interface OpenedStrategy {
  readonly strategy: WfStateStrategy
  readonly clock: { advance(ms: number): void }
}

export type OpenStrategy = () => OpenedStrategy | Promise<OpenedStrategy>

/** What a strategy may lack, each with the reason, which is printed. */
export interface StrategyLacks {
  /** A token can be used more than once. */
  readonly singleUse?: string | undefined
  /** It has no `peek`, `begin` and `claim` of its own. */
  readonly claims?: string | undefined
  /** A token cannot live on while its state changes. */
  readonly stays?: string | undefined
  /** It does not find a flow by its id, to give it a new token. */
  readonly reissue?: string | undefined
  /** It does not keep one run per key. */
  readonly runKeys?: string | undefined
  /** A pause asks one. */
  readonly panels?: string | undefined
}

export interface StateStrategySuite {
  readonly name: string
  /** Called for each test. */
  readonly open: OpenStrategy
  readonly lacks?: StrategyLacks | undefined
}

/** A state of the suite, with this context. */
export const stateWith = (context: unknown = { step: 1 }): WfState => ({
  schemaId: 'suite/flow',
  indexes: [0, 2],
  context,
  meta: { wf: { flow: { flowId: 'f', seq: 1, startedAt: 1 }, pause: {} } },
})

/** A flow of its own: a store may still have the states of other tests. */
export function newFlow() {
  const flowId = globalThis.crypto.randomUUID()
  const of = (context?: unknown): WfState => {
    const state = stateWith(context)
    const notes = notesOf(state)!
    return withNotes(state, { ...notes, flow: { ...notes.flow, flowId } })
  }
  return { flowId, of }
}

/** Claims a token for anyone. */
export async function claim(strategy: WfStateStrategy, token: string) {
  return strategy.claim!(token, { admit: () => null })
}

/** A state that is claimed, and how it goes on. */
export async function claimed(strategy: WfStateStrategy) {
  const token = await strategy.persist(stateWith())
  const taken = (await claim(strategy, token)) as WfClaim
  return { token, pause: taken.pause.bind(taken) as WfClaim['pause'] }
}

/** What `deliver` has given back. */
export function delivered<T>(paused: WfPaused<T>): T {
  if (paused.outcome === 'delivered') return paused.delivered
  throw new Error(`The pause was not delivered: ${paused.outcome}.`)
}

/** A strategy may note why a state could not go on; the rest of it is as it was. */
export function withoutProblem(state: WfState | null): WfState | null {
  const notes = state && notesOf(state)
  if (!state || !notes?.pause?.problem) return state
  const { problem: _problem, ...pause } = notes.pause
  return withNotes(state, { ...notes, pause })
}
