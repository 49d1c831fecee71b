import { type DbFilter, type DbSpace, type DbTable, insertInto, updateIn } from '../../db'
import { SUITE_FIELDS, type SuiteRow, suiteType, SuiteType } from './suite-type'

const commitId = { of: 'string', optional: true } as const

/** The table whose row a commit is about: one column of each kind, and the commit's id. */
export const SuiteRun = suiteType('suite_runs', {
  ...SUITE_FIELDS,
  slot: {
    of: 'string',
    optional: true,
    annotations: { 'db.index.unique': [{ name: 'slot_idx' }] },
  },
  commitId,
})

/** A table that only grows, so its rows remember commits for good. */
export const SuiteEvent = suiteType('suite_events', {
  id: { of: 'string', annotations: { 'meta.id': true, 'db.default.uuid': true } },
  run: { of: 'string', annotations: { 'db.index.unique': [{ name: 'seq_idx' }] } },
  seq: {
    of: 'number',
    annotations: { 'expect.int': true, 'db.index.unique': [{ name: 'seq_idx' }] },
  },
  data: { of: 'json', optional: true },
  commitId,
})

export interface SuiteRunRow extends SuiteRow {
  slot?: string | null
  commitId?: string | null
}

export interface SuiteEventRow {
  id: string
  run: string
  seq: number
  data?: unknown
  commitId?: string | null
}

/** The tables that the cases of commits work with. `links` keep no id of a commit. */
export interface CommitTables {
  readonly runs: DbTable<SuiteRunRow>
  readonly events: DbTable<SuiteEventRow>
  readonly links: DbTable<SuiteRow>
}

export function commitTables(space: Pick<DbSpace, 'table'>): CommitTables {
  return {
    runs: space.table(SuiteRun),
    events: space.table(SuiteEvent),
    links: space.table(SuiteType),
  } as unknown as CommitTables
}

/** All that stands in the tables, to see that nothing has changed. */
export async function allRows({ runs, events, links }: CommitTables): Promise<unknown> {
  return {
    runs: await runs.findMany({ controls: { $sort: { key: 1 } } }),
    events: await events.findMany({ controls: { $sort: { run: 1, seq: 1 } } }),
    links: await links.findMany({ controls: { $sort: { key: 1 } } }),
  }
}

export const insertEvents = (run: string, ...seqs: readonly number[]) =>
  insertInto(
    SuiteEvent,
    seqs.map(seq => ({ run, seq, data: { n: seq } })),
  )

/** Takes a run from a version to the next. */
export const advance = (key: string, version: number, filter: DbFilter<SuiteRunRow> = {}) =>
  updateIn(SuiteRun, { key, version, ...filter }, { version: version + 1 })
