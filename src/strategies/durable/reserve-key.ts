import { notesOf, type WfHeldRun, type WfStoredRun } from '../../state'
import { beginDurableRun, type Beginning, firstEventOf } from './begin-durable-run'
import type { ResolvedDurableOptions } from './durable-options'
import { wholeOf } from './history-detail'
import { noteOf, withRunNote } from './run-note'

/** A run that takes a key before it has done anything. */
interface KeyedBeginning extends Beginning {
  readonly runKey: string
  readonly actor?: string | undefined
}

/** Takes a key for a run. `null` if another has it. */
export async function reserveKey(
  options: ResolvedDurableOptions,
  beginning: KeyedBeginning,
): Promise<WfHeldRun | null> {
  const reserved = await reserve(options, beginning)
  if (reserved || !(await freeKey(options, beginning))) return reserved
  return reserve(options, beginning)
}

async function reserve(
  options: ResolvedDurableOptions,
  { actor, ...beginning }: KeyedBeginning,
): Promise<WfHeldRun | null> {
  const { state } = beginning
  const { owner, leaseMs, seal } = options
  const { flowId = '' } = notesOf(state)?.flow ?? {}
  const detail = await wholeOf(state, seal.digestFor(flowId))
  return beginDurableRun(options, beginning, {
    events: [{ type: firstEventOf(state), to: 'created', detail }],
    state: withRunNote(state, { isReserved: true }),
    lease: { owner, ms: leaseMs },
    actor,
  })
}

/** The one who has the key may have died before it did anything. */
async function freeKey(
  options: ResolvedDurableOptions,
  { runKey, actor }: KeyedBeginning,
): Promise<boolean> {
  const other = await options.runs.findByKey(runKey)
  if (!other) return true
  return isIdleReservation(other) && cancelReservation(options, other, actor)
}

/** Whether a run has done nothing but take a key, for someone who was not told of it. */
export function isIdleReservation({ status, state }: WfStoredRun): boolean {
  return status === 'created' && noteOf(state).isReserved === true
}

/** Ends it, if nobody is about to begin it. @returns whether it could be */
export async function cancelReservation(
  { runs, owner, leaseMs }: ResolvedDurableOptions,
  run: WfStoredRun,
  actor: string | undefined,
): Promise<boolean> {
  const dead = await runs.claim(run, { owner, ms: leaseMs })
  const events = [{ type: 'cancelled', to: 'cancelled' }] as const
  return dead !== null && (await runs.commit(dead, { events, actor })) !== null
}
