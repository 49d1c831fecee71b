import type { WfState, WfStateStore } from '../../state'

/** A store that is to be tested, and the clock that decides what has expired in it. */
export interface OpenedStore {
  readonly store: WfStateStore
  readonly clock: { now(): number; advance(ms: number): void }
}

export type OpenStore = () => OpenedStore | Promise<OpenedStore>

/** What a store may lack, each with the reason, which is printed. */
export interface StoreLacks {
  /** It does not know `expectedVersion`, nor takes by version. */
  readonly versions?: string | undefined
}

export interface StateStoreSuite {
  readonly name: string
  /** Called for each test; the handles of one test are not used by another. */
  readonly open: OpenStore
  readonly lacks?: StoreLacks | undefined
}

/** A state of the suite, with this context. */
export const stateWith = (context: unknown = { step: 1 }): WfState => ({
  schemaId: 'suite/flow',
  indexes: [0, 2],
  context,
  meta: { wf: { flowId: 'f', seq: 1, startedAt: 1 }, mine: [1] },
})

let handles = 0

/** A handle that nobody has used, also not in an earlier run on the same database. */
export const newHandle = (): string => `suite-${Date.now()}-${++handles}-${Math.random()}`
