import { WfError } from '../../errors'
import type { WfHeldRun, WfLinksUntil, WfNewRun, WfRunChange, WfStoredRun } from '../../state'
import { wholeTime } from '../rows/expiry'
import { eventRowsOf } from './event-row'
import { planBeginning, planChange, type PlannedChange } from './plan-change'
import { messageWrites } from './run-outbox'
import { mayMissSignal, signalWrites } from './run-signals'
import { changedColumnsOf, newColumnsOf } from './run-row'
import { type RunTables, withShadows } from './run-tables'
import { keyInScope } from './scoped-key'

/** What is to be written, before there is any SQL. */
interface PlannedWrite {
  readonly planned: PlannedChange
  /** The part of the commit that is about the run itself. */
  readonly decides: object
}

/** Writes a new run with its first events and links. `null` if its id or its key is taken. */
export async function beginRun(
  tables: RunTables,
  fresh: WfNewRun,
  change: WfRunChange,
): Promise<WfHeldRun | null> {
  const { planned, decides } = await planNewRun(tables, fresh, change)
  const { held } = await commit(tables, decides, planned, change)
  return held ? heldBy(planned, change) : null
}

/**
 * Ends a run and writes another that has its key, in one commit. `null` if the former one has moved on, or
 * the id of the new one is taken.
 */
export async function endAndBegin(
  tables: RunTables,
  former: WfHeldRun,
  end: WfRunChange,
  fresh: WfNewRun,
  change: WfRunChange,
): Promise<WfHeldRun | null> {
  const ended = planRunChange(tables, former, end)
  const begun = await planNewRun(tables, fresh, change)
  const along = [begun.decides, ...alongWith(tables, begun.planned, change)]
  try {
    const { held } = await commit(tables, ended.decides, ended.planned, end, along)
    return held ? heldBy(begun.planned, change) : null
  } catch (error) {
    if (error instanceof WfError && error.code === 'WF_CONFLICT') return null
    throw error
  }
}

async function planNewRun(
  tables: RunTables,
  fresh: WfNewRun,
  change: WfRunChange,
): Promise<PlannedWrite> {
  const { clock, runs } = tables.options
  const planned = planBeginning(fresh, change, wholeTime(clock))
  const scope = tables.rows.scope()
  const { runKey } = fresh
  const key = runKey === undefined ? {} : { runKey: await keyInScope(scope, runKey) }
  const columns = { ...newColumnsOf(planned.run), ...key, ...scope }
  const row = { ...withShadows(tables, columns, planned.run), ...leaseOf(tables, change) }
  return { planned, decides: { insert: runs.type, rows: [row] } }
}

/** Writes what has become of a run. `null` if another has written or claimed it since. */
export async function commitRun(
  tables: RunTables,
  held: WfHeldRun,
  change: WfRunChange,
): Promise<WfHeldRun | null> {
  const { planned, decides } = planRunChange(tables, held, change)
  const { filter, patch } = decides
  const { unlessSignalled = false } = change
  const maySleep = !unlessSignalled && !change.lease && !change.isDue && mayMissSignal(planned.run)
  // What has come since the run was read must not be slept through.
  const unless = { ...decides, filter: { ...filter, signalSeq: held.run.signalSeq } }
  let written = await commit(
    tables,
    maySleep || unlessSignalled ? unless : decides,
    planned,
    change,
  )
  if (!written.held && maySleep) {
    const due = { ...decides, patch: { ...patch, dueAt: tables.options.space.now() } }
    written = await commit(tables, due, planned, change)
  }
  return written.held ? heldBy(planned, change) : null
}

function planRunChange(tables: RunTables, held: WfHeldRun, change: WfRunChange) {
  const { clock, runs } = tables.options
  const planned = planChange(held, change, wholeTime(clock))
  const { flowId, version, claimSeq } = held.run
  const patch = changedColumnsOf(held.run, planned.run)
  if (change.state) withShadows(tables, patch, planned.run)
  // An index on it is not touched then.
  if (!change.lease?.isFresh)
    Object.assign(patch, freeColumns(planned.run), leaseOf(tables, change))
  const filter = { flowId, version, claimSeq, leaseOwner: held.owner ?? null }
  return { planned, decides: { update: runs.type, filter, patch } } satisfies PlannedWrite
}

function commit(
  tables: RunTables,
  decides: object,
  planned: PlannedChange,
  change: WfRunChange,
  besides: readonly object[] = [],
): Promise<{ readonly held: boolean }> {
  const along = [...alongWith(tables, planned, change), ...besides]
  return tables.options.space.commit({ write: decides, with: along })
}

/** What belongs to a change of a run, in the other tables. */
function alongWith({ options }: RunTables, planned: PlannedChange, change: WfRunChange): object[] {
  const { run, events, links } = planned
  const { linksUntil } = change
  const along: object[] = [{ insert: options.events.type, rows: eventRowsOf(events) }]
  if (links.length > 0) along.push({ insert: options.links.type, rows: links })
  if (linksUntil) along.push({ update: options.links.type, ...extension(run.flowId, linksUntil) })
  along.push(...messageWrites(options, planned, change))
  along.push(...signalWrites(options, run.flowId, change))
  return along
}

const heldBy = ({ run }: PlannedChange, { lease }: WfRunChange): WfHeldRun => ({
  run,
  owner: lease?.owner,
})

function leaseOf(
  { options: { space } }: RunTables,
  { lease, isDue, dueInMs }: WfRunChange,
): object {
  if (!lease && dueInMs !== undefined) return { dueAt: space.now(dueInMs) }
  if (!lease) return isDue ? { dueAt: space.now() } : {}
  const leaseUntil = space.now(lease.ms)
  return { leaseUntil, dueAt: leaseUntil }
}

function extension(flowId: string, { pauses, expiresAt }: WfLinksUntil): object {
  const [pause] = pauses
  const made = pauses.length === 1 ? pause : { $in: [...pauses] }
  const filter = { flowId, pause: made, expiresAt: { $lt: expiresAt } }
  return { filter, patch: { expiresAt } }
}

const freeColumns = ({ dueAt, leaseOwner }: WfStoredRun) => ({
  dueAt: dueAt ?? null,
  leaseUntil: null,
  leaseOwner: leaseOwner ?? null,
})
