import {
  newFlowId,
  notesOf,
  type WfFormAnswer,
  type WfHeldRun,
  type WfNewRun,
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
  options: ResolvedDurableOptions,
  beginning: Beginning,
  change: WfRunChange,
): Promise<WfHeldRun | null> {
  const { runs } = options
  const { runKey, state } = beginning
  const beginAs = async (flowId: string) =>
    runs.begin(await freshRun(options, beginning, flowId), change)
  const begun = await beginAs(notesOf(state)?.flow.flowId ?? newFlowId())
  if (begun || (runKey !== undefined && (await runs.findByKey(runKey)))) return begun
  return beginAs(newFlowId())
}

/** What of a new run never changes. */
export async function freshRun(
  { runs, seal }: ResolvedDurableOptions,
  { state, runKey, input }: Beginning,
  flowId: string,
): Promise<WfNewRun> {
  const { flow } = notesOf(state) ?? {}
  return {
    flowId,
    schemaId: state.schemaId,
    startedAt: flow?.startedAt ?? Math.floor(runs.clock.now()),
    startedBy: flow?.startedBy,
    runKey,
    input: await seal.closeInput(flowId, input),
  }
}

/** A flow that has paused before comes from another strategy. */
export function firstEventOf(state: WfState): 'workflow_created' | 'moved_in' {
  return (notesOf(state)?.flow.seq ?? 0) > 0 ? 'moved_in' : 'workflow_created'
}
