import { WfError } from '../errors'
import type { WfRunStatus, WfRunStore } from '../state'
import { viewOf, type WfRunView } from './run-view'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500

/** Which runs to list. */
export interface WfRunListOptions<Filter = object> {
  readonly schemaId?: string | undefined
  readonly status?: WfRunStatus | readonly WfRunStatus[] | undefined
  readonly correlationId?: string | undefined
  /** On the columns of your row, shadow columns included. */
  readonly filter?: Filter | undefined
  /** At most 500. @default 50 */
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly after?: string | undefined
}

/** Some runs, the one that was started last first. */
export interface WfRunPage {
  readonly runs: readonly WfRunView[]
  /** Where the next page begins, if there is one. */
  readonly next?: string | undefined
}

/** One page of runs. What comes and goes meanwhile shifts nothing. */
export async function listRuns(
  runs: WfRunStore,
  { limit = DEFAULT_LIMIT, after, ...query }: WfRunListOptions,
): Promise<WfRunPage> {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new WfError('WF_DB_FILTER', `limit is a whole number from 1 to ${MAX_LIMIT}.`)
  }
  const found = await runs.page({ ...query, limit: limit + 1, after: readCursor(after) })
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const columns = runs.columns?.()
  return { runs: page.map(run => viewOf(run, columns)), next: last && writeCursor(last) }
}

interface Cursor {
  readonly startedAt: number
  readonly flowId: string
}

function writeCursor({ startedAt, flowId }: Cursor): string {
  return `${startedAt}:${encodeURIComponent(flowId)}`
}

/** It may have been anywhere. */
function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const [, time = '', id = ''] = /^(\d{1,16}):(.+)$/u.exec(text) ?? []
  try {
    const [startedAt, flowId] = [Number(time), decodeURIComponent(id)]
    if (flowId && Number.isSafeInteger(startedAt)) return { startedAt, flowId }
  } catch {
    // Said below.
  }
  throw new WfError('WF_DB_FILTER', 'after is the next of a page.')
}
