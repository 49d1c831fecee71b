import { WfError } from '../errors'
import type { WfRunCount, WfRunCountQuery, WfRunStore } from '../state'

/** Which runs to count by a column, and how. */
export interface WfRunCountByOptions<Filter = object> extends Omit<WfRunCountQuery, 'filter'> {
  /** On the columns of your row, shadow columns included. @default all runs */
  readonly filter?: Filter | undefined
}

export async function countRuns(runs: WfRunStore, filter: object = {}): Promise<number> {
  if (!runs.count) throw notCounted()
  return runs.count({ filter })
}

export async function countRunsBy(
  runs: WfRunStore,
  column: string,
  { filter = {}, ...how }: WfRunCountByOptions = {},
): Promise<readonly WfRunCount[]> {
  if (!runs.countBy) throw notCounted()
  return runs.countBy(column, { filter, ...how })
}

const notCounted = () =>
  new WfError('WF_CONFIG', 'These runs are in no table, so they cannot be counted by columns.')
