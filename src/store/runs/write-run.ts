import type { WfHeldRun, WfNewRun, WfRunChange, WfStoredRun } from '../../state'
import { wholeTime } from '../rows/expiry'
import { eventRowsOf } from './event-row'
import { planBeginning, planChange, type PlannedChange } from './plan-change'
import { messageWrites } from './run-outbox'
import { mayMissSignal, signalWrites } from './run-signals'
import { changedColumnsOf, newColumnsOf } from './run-row'
import { type RunTables, withShadows } from './run-tables'
import { keyInScope } from './scoped-key'

/** Writes a new run with its first events and links. `null` if its id or its key is taken. */
export async function beginRun(
  tables: RunTables,
  fresh: WfNewRun,
  change: WfRunChange,
): Promise<WfHeldRun | null> {
  const { clock, runs } = tables.options
  const planned = planBeginning(fresh, change, wholeTime(clock))
  const scope = tables.rows.scope()
  const { runKey } = fresh
  const key = runKey === undefined ? {} : { runKey: await keyInScope(scope, runKey) }
  const columns = { ...newColumnsOf(planned.run), ...key, ...scope }
  const row = { ...withShadows(tables, columns, planned.run), ...leaseOf(tables, change) }
  return write(tables, { insert: runs.type, rows: [row] }, planned, change)
}

/** Writes what has become of a run. `null` if another has written or claimed it since. */
export async function commitRun(
  tables: RunTables,
  held: WfHeldRun,
  change: WfRunChange,
): Promise<WfHeldRun | null> {
  const { clock, runs } = tables.options
  const planned = planChange(held, change, wholeTime(clock))
  const { flowId, version, claimSeq } = held.run
  const patch = changedColumnsOf(held.run, planned.run)
  if (change.state) withShadows(tables, patch, planned.run)
  // An index on it is not touched then.
  if (!change.lease?.isFresh) Object.assign(patch, heldBy(planned.run), leaseOf(tables, change))
  const filter = { flowId, version, claimSeq, leaseOwner: held.owner ?? null }
  const decides = { update: runs.type, filter, patch }
  if (change.lease || change.isDue || !mayMissSignal(planned.run))
    return write(tables, decides, planned, change)
  // What has come since the run was read must not be slept through.
  const unless = { ...decides, filter: { ...filter, signalSeq: held.run.signalSeq } }
  const waiting = await write(tables, unless, planned, change)
  if (waiting) return waiting
  const due = { ...decides, patch: { ...patch, dueAt: tables.options.space.now() } }
  return write(tables, due, planned, change)
}

async function write(
  tables: RunTables,
  decides: object,
  planned: PlannedChange,
  change: WfRunChange,
): Promise<WfHeldRun | null> {
  const { space, events: eventTable, links: linkTable } = tables.options
  const { run, events, links } = planned
  const { lease, linksUntil } = change
  const { held } = await space.commit({
    write: decides,
    with: [
      { insert: eventTable.type, rows: eventRowsOf(events) },
      { insert: linkTable.type, rows: links },
      ...(linksUntil ? [{ update: linkTable.type, ...extension(run.flowId, linksUntil) }] : []),
      ...messageWrites(tables.options, planned, change),
      ...signalWrites(tables.options, run.flowId, change),
    ],
  })
  return held ? { run, owner: lease?.owner } : null
}

function leaseOf(
  { options: { space } }: RunTables,
  { lease, isDue, dueInMs }: WfRunChange,
): object {
  if (!lease && dueInMs !== undefined) return { dueAt: space.now(dueInMs) }
  if (!lease) return isDue ? { dueAt: space.now() } : {}
  const leaseUntil = space.now(lease.ms)
  return { leaseUntil, dueAt: leaseUntil }
}

function extension(
  flowId: string,
  { pause, expiresAt }: NonNullable<WfRunChange['linksUntil']>,
): object {
  return { filter: { flowId, pause }, patch: { expiresAt } }
}

const heldBy = ({ dueAt, leaseOwner }: WfStoredRun) => ({
  dueAt: dueAt ?? null,
  leaseUntil: null,
  leaseOwner: leaseOwner ?? null,
})
