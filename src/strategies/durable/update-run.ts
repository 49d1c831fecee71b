import { WfError } from '../../errors'
import { isEnd, jsonCopy, type WfStoredRun } from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import { contextChange } from './history-detail'
import type { ManageRunOptions } from './manage-run'
import { idle } from './woken-for'

/** @see RunManager.update */
export async function updateRun(
  { runs, seal, owner, leaseMs }: ResolvedDurableOptions,
  flowId: string,
  expectedVersion: number | undefined,
  change: (context: unknown) => unknown,
  { actor, within = runs }: ManageRunOptions,
): Promise<number | null> {
  const run = await within.find(flowId)
  if (!run) return null
  assertOpen(run)
  if (expectedVersion !== undefined && run.version !== expectedVersion) throw stale()
  const { state, answer, dueAt } = run
  // The lease locks the row on every engine, so that nobody goes on from what is being changed.
  const held = await within.claim(run, {
    owner: idle(owner),
    ms: leaseMs,
    answer,
    isOnlyChanged: true,
  })
  if (!held) throw stale()
  try {
    const next = jsonCopy({ ...state, context: await change(structuredClone(state.context)) })
    const detail = await contextChange(state.context, next.context, seal.digestFor(flowId))
    const events = [{ type: 'updated', detail: { ...detail } }] as const
    const written = await within.commit(held, { events, actor, state: next, answer, dueAt })
    if (!written) throw stale()
    return written.run.version
  } catch (error) {
    // A lease that cannot be given back runs out.
    await within.release({ ...held, run: { ...held.run, answer, dueAt } }).catch(() => false)
    throw error
  }
}

function assertOpen({ status }: WfStoredRun): void {
  if (!isEnd(status)) return
  throw new WfError('WF_TRANSITION', `A run that is ${status} is not changed.`)
}

function stale(): WfError {
  return new WfError('WF_CONFLICT', 'This run has moved on, or somebody works on it.')
}
