import { canGoOn, type WfHeldRun, type WfRunClaimOptions, type WfStoredRun } from '../../state'
import { wholeTime } from '../rows/expiry'
import { lossOf } from './lost-holder'
import type { RunTables } from './run-tables'

/** One conditional write: the run as it was read, and nobody who holds it by the clock of the database. */
export async function claimRun(
  { options }: RunTables,
  run: WfStoredRun,
  { owner, ms, answer, isOnlyChanged, isDue }: WfRunClaimOptions,
): Promise<WfHeldRun | null> {
  const { space, runs, clock } = options
  const { flowId, version, claimSeq, status } = run
  if (!canGoOn(status)) return null
  const lastStartedAt = wholeTime(clock)
  const leaseUntil = space.now(ms)
  const isFree = [{ leaseUntil: null }, { leaseUntil: { $lte: space.now() } }]
  const next = { claimSeq: claimSeq + 1, lastStartedAt, ...lossOf(run, lastStartedAt) }
  // What waits is due when it was, whatever becomes of whoever only changes it.
  const isAsItWas = isOnlyChanged && (status === 'paused' || run.dueAt === undefined)
  const dueAt = isAsItWas ? (run.dueAt ?? null) : leaseUntil
  const lease = { leaseOwner: owner, leaseUntil, dueAt }
  const lastError = next.lastError ?? null
  const { held } = await space.commit({
    write: {
      update: runs.type,
      // Not the status, which cannot change without the version: a server that knows the table as
      // empty would take its index for as good as the key, and read all runs that wait.
      filter: {
        flowId,
        version,
        claimSeq,
        $or: isFree,
        ...(isDue && { dueAt: { $lte: space.now() } }),
      },
      patch: { ...next, ...lease, lastError, answer: answer ?? null },
    },
  })
  return held ? { run: Object.assign({}, run, next), owner } : null
}

export async function renewLease(
  { options: { space, runs } }: RunTables,
  { run: { flowId, claimSeq }, owner }: WfHeldRun,
  ms: number,
): Promise<boolean> {
  const leaseUntil = space.now(ms)
  const filter = { flowId, claimSeq, leaseOwner: owner ?? null }
  return isWritten(await runs.updateMany(filter, { leaseUntil, dueAt: leaseUntil }))
}

export async function releaseRun(
  { options: { runs, space } }: RunTables,
  { run, owner }: WfHeldRun,
): Promise<boolean> {
  const { flowId, claimSeq, answer = null, dueAt = null, waitsFor, signalSeq } = run
  const filter = { flowId, claimSeq, leaseOwner: owner ?? null }
  const patch = { leaseUntil: null, leaseOwner: null, answer, dueAt }
  if (waitsFor === undefined) return isWritten(await runs.updateMany(filter, patch))
  if (isWritten(await runs.updateMany({ ...filter, signalSeq }, patch))) return true
  // A signal has come since it was read: it must not be slept through.
  return isWritten(await runs.updateMany(filter, { ...patch, dueAt: space.now() }))
}

export async function postponeRun(
  { options: { space, runs } }: RunTables,
  { flowId, version, claimSeq }: WfStoredRun,
  ms: number,
  lastError: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const patch = { dueAt: space.now(ms), lastError }
  // What waits, has ended or is held is not due: it must not be woken, and its lease is its own.
  const filter = { flowId, version, claimSeq, dueAt: { $lte: space.now() } }
  return isWritten(await runs.updateMany(filter, patch))
}

const isWritten = ({ matchedCount }: { readonly matchedCount: number }) => matchedCount > 0
