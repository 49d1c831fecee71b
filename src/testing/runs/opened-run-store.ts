import type {
  WfHeldRun,
  WfNewRun,
  WfNewRunEvent,
  WfRunChange,
  WfRunStatus,
  WfRunStore,
  WfState,
} from '../../state'

/** A store that is to be tested, and the clock by which its links expire and its leases run out. */
export interface OpenedRunStore {
  readonly store: WfRunStore
  readonly clock: { now(): number; advance(ms: number): void }
}

export type OpenRunStore = () => OpenedRunStore | Promise<OpenedRunStore>

export interface RunStoreSuite {
  readonly name: string
  /** Called for each test. */
  readonly open: OpenRunStore
  /** What it does not promise, each with its reason. */
  readonly lacks?: RunStoreLacks | undefined
}

export interface RunStoreLacks {
  /** Messages are delivered by the request that pauses. */
  readonly outbox?: string | undefined
  /** Runs get no signals. */
  readonly signals?: string | undefined
  /** How often links are shown is not counted. */
  readonly opens?: string | undefined
}

export const LEASE = { owner: 'one', ms: 1000 }
export const OTHER = { owner: 'other', ms: 1000 }

export const stateOf = (context: unknown = { step: 1 }): WfState => ({
  schemaId: 'suite/flow',
  indexes: [0],
  context,
})

/** The events that take a run from its beginning to a status. */
const WAY: Readonly<Record<WfRunStatus, readonly WfNewRunEvent[]>> = {
  created: [{ type: 'workflow_created', to: 'created' }],
  active: [{ type: 'workflow_created', to: 'active' }],
  paused: [
    { type: 'workflow_created', to: 'active' },
    { type: 'paused', to: 'paused', stepId: 'ask' },
  ],
  error: [
    { type: 'workflow_created', to: 'active' },
    { type: 'step_failed', to: 'error' },
  ],
  completed: [
    { type: 'workflow_created', to: 'active' },
    { type: 'workflow_completed', to: 'completed' },
  ],
  failed: [
    { type: 'workflow_created', to: 'active' },
    { type: 'workflow_failed', to: 'failed' },
  ],
  cancelled: [
    { type: 'workflow_created', to: 'created' },
    { type: 'cancelled', to: 'cancelled' },
  ],
}

export const STATUSES = Object.keys(WAY) as WfRunStatus[]

/** A run that stands there, and that nobody holds. */
export async function runThatIs(
  { store, clock }: OpenedRunStore,
  status: WfRunStatus = 'paused',
  change: Partial<WfRunChange> = {},
  more: Partial<WfNewRun> = {},
): Promise<WfHeldRun> {
  const fresh = {
    flowId: crypto.randomUUID(),
    schemaId: 'suite/flow',
    startedAt: clock.now(),
    ...more,
  }
  const begun = await store.begin(fresh, { events: WAY[status], state: stateOf(), ...change })
  if (!begun) throw new Error('The run could not be begun.')
  return begun
}

/** All that is kept of a run. */
export async function allOf({ store }: OpenedRunStore, { run: { flowId } }: WfHeldRun) {
  return {
    run: await store.find(flowId),
    history: await store.history(flowId),
    links: await store.links(flowId),
    messages: await store.outbox?.of(flowId),
  }
}
