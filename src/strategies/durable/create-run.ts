import {
  notesOf,
  type WfFormAnswer,
  type WfOnConflict,
  type WfRunChange,
  type WfRunStore,
  type WfState,
} from '../../state'
import { firstEventOf } from './begin-durable-run'
import type { ResolvedDurableOptions } from './durable-options'
import { goesOn } from './goes-on'
import { wholeOf } from './history-detail'
import { withRunNote } from './run-note'
import { supersedeOwner } from './supersede-owner'
import { type KeyTaken, takeKey } from './take-key'

/** How a run is created that goes on by itself. */
export interface CreateRunOptions {
  /** What its first step is given. */
  readonly input?: WfFormAnswer | undefined
  readonly actor?: string | undefined
  readonly runKey?: string | undefined
  /** @default 'reject' */
  readonly onConflict?: WfOnConflict | undefined
  readonly correlationId?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Where it is written: a store within a transaction. Others look after it then. */
  readonly within?: WfRunStore | undefined
}

/**
 * Writes a run that is accepted: it will be begun, by this process or by another.
 *
 * @returns it, or the run that has its key
 */
export async function createRun(
  options: ResolvedDurableOptions,
  state: WfState,
  { input, actor, within, onConflict, ...about }: CreateRunOptions,
): Promise<KeyTaken> {
  const { seal, owner, leaseMs } = options
  const runs = within ?? options.runs
  const { flowId, startedAt } = notesOf(state)!.flow
  const sealed = await seal.closeInput(flowId, input)
  const { schemaId } = state
  const { runKey } = about
  const fresh = { ...about, flowId, schemaId, startedAt, startedBy: actor, input: sealed }
  const detail = await wholeOf(state, seal.digestFor(flowId))
  const change: WfRunChange = {
    events: [{ type: firstEventOf(state), to: 'created', detail }],
    state: withRunNote(state, {}),
    actor,
    ...(within ? { isDue: true } : { lease: { owner, ms: leaseMs } }),
  }
  const begin = () => runs.begin(fresh, change)
  if (runKey === undefined) {
    const held = await begin()
    if (!held) throw goesOn()
    return { held }
  }
  return takeKey(options, {
    runKey,
    onConflict,
    actor,
    within,
    begin,
    mayEnd: other => other.schemaId === schemaId,
    beginInPlaceOf: other => supersedeOwner(runs, other, fresh, change),
  })
}
