import {
  notesOf,
  type WfFormAnswer,
  type WfHeldRun,
  type WfRunStore,
  type WfState,
} from '../../state'
import { firstEventOf } from './begin-durable-run'
import type { ResolvedDurableOptions } from './durable-options'
import { wholeOf } from './history-detail'
import { withRunNote } from './run-note'

/** How a run is created that goes on by itself. */
export interface CreateRunOptions {
  /** What its first step is given. */
  readonly input?: WfFormAnswer | undefined
  readonly actor?: string | undefined
  readonly runKey?: string | undefined
  readonly correlationId?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Where it is written: a store within a transaction. Others look after it then. */
  readonly within?: WfRunStore | undefined
}

/** Writes a run that is accepted: it will be begun, by this process or by another. `null` if its key is taken. */
export async function createRun(
  { runs, seal, owner, leaseMs }: ResolvedDurableOptions,
  state: WfState,
  { input, actor, within, ...about }: CreateRunOptions,
): Promise<WfHeldRun | null> {
  const { flowId, startedAt } = notesOf(state)!.flow
  const sealed = await seal.closeInput(flowId, input)
  const { schemaId } = state
  const fresh = { ...about, flowId, schemaId, startedAt, startedBy: actor, input: sealed }
  const detail = await wholeOf(state, seal.digestFor(flowId))
  return (within ?? runs).begin(fresh, {
    events: [{ type: firstEventOf(state), to: 'created', detail }],
    state: withRunNote(state, {}),
    actor,
    ...(within ? { isDue: true } : { lease: { owner, ms: leaseMs } }),
  })
}
