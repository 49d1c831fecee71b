import { notesOf, type WfOnConflict, type WfRunChange, type WfStoredRun } from '../../state'
import { beginDurableRun, type Beginning, firstEventOf, freshRun } from './begin-durable-run'
import type { ResolvedDurableOptions } from './durable-options'
import { wholeOf } from './history-detail'
import { withRunNote } from './run-note'
import { supersedeOwner } from './supersede-owner'
import { type KeyTaken, takeKey } from './take-key'

/** A run that takes a key before it has done anything. */
interface KeyedBeginning extends Beginning {
  readonly runKey: string
  readonly actor?: string | undefined
  readonly onConflict?: WfOnConflict | undefined
}

/** Takes a key for a run, on behalf of whoever asks for it. */
export async function reserveKey(
  options: ResolvedDurableOptions,
  { actor, onConflict, ...beginning }: KeyedBeginning,
): Promise<KeyTaken> {
  const { runs, owner, leaseMs, seal } = options
  const { state, runKey } = beginning
  const { flowId = '' } = notesOf(state)?.flow ?? {}
  const detail = await wholeOf(state, seal.digestFor(flowId))
  const change: WfRunChange = {
    events: [{ type: firstEventOf(state), to: 'created', detail }],
    state: withRunNote(state, { isReserved: true }),
    lease: { owner, ms: leaseMs },
    actor,
  }
  return takeKey(options, {
    runKey,
    onConflict,
    actor,
    begin: () => beginDurableRun(options, beginning, change),
    mayEnd: other => isTheirs(other, state.schemaId, actor),
    beginInPlaceOf: async other =>
      supersedeOwner(runs, other, await freshRun(options, beginning, flowId), change),
  })
}

/** Nobody in particular has started nothing: whoever is not known may be anyone. */
function isTheirs(owner: WfStoredRun, schemaId: string, actor: string | undefined): boolean {
  return actor !== undefined && owner.startedBy === actor && owner.schemaId === schemaId
}
