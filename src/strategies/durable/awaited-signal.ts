import type { WfRunSignal, WfStoredRun } from '../../state'
import type { ResolvedDurableOptions } from './durable-options'
import { noteOf } from './run-note'
import { dueAtOf } from './timer-note'

/** A signal that a run waits for, with what it brings. */
export interface AwaitedSignal {
  readonly signal: WfRunSignal
  readonly payload: unknown
}

/**
 * The signal that a run can go on with.
 *
 * @returns `undefined` if it waits for none, `null` if none has come
 */
export async function awaitedSignal(
  { runs, seal }: ResolvedDurableOptions,
  { flowId, waitsFor }: WfStoredRun,
): Promise<AwaitedSignal | undefined | null> {
  if (waitsFor === undefined) return undefined
  const signal = await runs.signals?.next(flowId, waitsFor)
  return signal ? { signal, payload: await seal.openSignal(flowId, signal.payload) } : null
}

/** Lets a run that was due wait again: nothing has come that it waits for. */
export async function waitOn(
  { runs, owner, leaseMs }: ResolvedDurableOptions,
  run: WfStoredRun,
): Promise<void> {
  const { answer, state } = run
  const dueAt = dueAtOf(noteOf(state))
  const held = await runs.claim(run, { owner, ms: leaseMs, answer })
  if (held) await runs.release({ ...held, run: { ...held.run, dueAt } })
}
