import {
  notesOf,
  type WfFormAnswer,
  type WfHeldRun,
  type WfRunChange,
  type WfState,
} from '../../state'
import type { ResolvedDurableOptions } from './durable-options'

/** What is known of a run that is to begin. */
export interface Beginning {
  readonly state: WfState
  readonly runKey?: string | undefined
  /** What it was started with, as far as that may be kept. */
  readonly input?: WfFormAnswer | undefined
}

/**
 * Writes a new run under the id of its flow. A flow that is there already gets an id of its own.
 *
 * @returns `null` if its key is taken
 */
export async function beginDurableRun(
  { runs, seal }: ResolvedDurableOptions,
  { state, runKey, input }: Beginning,
  change: WfRunChange,
): Promise<WfHeldRun | null> {
  const { flow } = notesOf(state) ?? {}
  const startedAt = flow?.startedAt ?? Math.floor(runs.clock.now())
  const fresh = { schemaId: state.schemaId, startedAt, startedBy: flow?.startedBy, runKey }
  const beginAs = async (flowId: string) =>
    runs.begin({ ...fresh, flowId, input: await seal.closeInput(flowId, input) }, change)
  const begun = await beginAs(flow?.flowId ?? globalThis.crypto.randomUUID())
  if (begun || (runKey !== undefined && (await runs.findByKey(runKey)))) return begun
  return beginAs(globalThis.crypto.randomUUID())
}

/** A flow that has paused before comes from another strategy. */
export function firstEventOf(state: WfState): 'workflow_created' | 'moved_in' {
  return (notesOf(state)?.flow.seq ?? 0) > 0 ? 'moved_in' : 'workflow_created'
}
