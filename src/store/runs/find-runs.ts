import {
  isStorableText,
  type WfDueRun,
  type WfRunLink,
  type WfRunPageQuery,
  type WfStoredRun,
} from '../../state'
import { linkOf, type Row, runOf } from './run-row'
import type { RunTables } from './run-tables'

/** @param everywhere whichever scope it is of */
export async function findRun(
  { options, rows }: RunTables,
  named: Readonly<Record<string, string>>,
  everywhere = false,
): Promise<WfStoredRun | null> {
  if (!Object.values(named).every(canBeKey)) return null
  const scope = everywhere ? {} : rows.scope()
  const row = await options.runs.findOne({ filter: { ...named, ...scope } })
  return row && runOf(row as Row)
}

export async function findByLink(
  tables: RunTables,
  hash: string,
  everywhere = false,
): Promise<{ readonly link: WfRunLink; readonly run: WfStoredRun } | null> {
  const { links, runs } = tables.options
  if (!canBeKey(hash)) return null
  const isAnyones = everywhere || Object.keys(tables.rows.scope()).length === 0
  if (links.findOneWith && isAnyones) {
    const both = await links.findOneWith({ hash }, 'flowId', runs)
    return both && { link: linkOf(both[0] as Row), run: runOf(both[1] as Row) }
  }
  const found = await links.findOne({ filter: { hash } })
  if (!found) return null
  const link = linkOf(found as Row)
  const run = await findRun(tables, { flowId: link.flowId }, everywhere)
  return run && { link, run }
}

/** Whether a run is of the present scope: its history and its links have no columns for that. */
export async function isInScope(tables: RunTables, flowId: string): Promise<boolean> {
  if (!canBeKey(flowId)) return false
  const isAnyones = Object.keys(tables.rows.scope()).length === 0
  return isAnyones || (await findRun(tables, { flowId })) !== null
}

export async function findManyRuns(
  { options, rows }: RunTables,
  flowIds: readonly string[],
): Promise<readonly WfStoredRun[]> {
  const $in = flowIds.filter(canBeKey)
  if ($in.length === 0) return []
  const filter = { flowId: { $in }, ...rows.scope() }
  return (await options.runs.findMany({ filter })).map(row => runOf(row as Row))
}

export async function pageOfRuns(
  { options, rows }: RunTables,
  { schemaId, status, correlationId, filter = {}, limit, after }: WfRunPageQuery,
): Promise<readonly WfStoredRun[]> {
  const $and = [
    schemaId === undefined ? {} : { schemaId },
    correlationId === undefined ? {} : { correlationId },
    status === undefined ? {} : { status: { $in: [status].flat() } },
    filter,
    rows.scope(),
    after ? behind(after) : {},
  ]
  const controls = { $sort: { startedAt: -1, flowId: 1 }, $limit: limit }
  const found = await options.runs.findMany({ filter: { $and }, controls })
  return found.map(row => runOf(row as Row))
}

/** One range, which an index is walked along: two with an `or` between them would be sorted first. */
function behind({ startedAt, flowId }: NonNullable<WfRunPageQuery['after']>): object {
  const isLater = { $or: [{ startedAt: { $lt: startedAt } }, { flowId: { $gt: flowId } }] }
  return { $and: [{ startedAt: { $lte: startedAt } }, isLater] }
}

export async function findDueRuns(
  { options: { runs, space } }: RunTables,
  limit: number,
): Promise<readonly WfDueRun[]> {
  const rows = await runs.findMany({
    filter: { dueAt: { $lte: space.now() } },
    controls: { $sort: { dueAt: 1 }, $limit: limit, $select: ['flowId', 'schemaId', 'dueAt'] },
  })
  return rows as WfDueRun[]
}

export async function findNextDue(
  { options: { runs, space } }: RunTables,
  withinMs: number,
): Promise<number | undefined> {
  const [first] = await runs.findMany({
    filter: { dueAt: { $lte: space.now(Math.ceil(withinMs)) } },
    controls: { $sort: { dueAt: 1 }, $limit: 1, $select: ['dueAt'] },
  })
  return (first as Row | undefined)?.dueAt as number | undefined
}

const LONGEST_KEY = 640

/** What comes from a request may be anything. */
export function canBeKey(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_KEY && isStorableText(value)
}
