import type { WfRunListOptions } from '../../runs'
import type { WfRunStatus } from '../../state'
import { badRequest } from '../admin-refusal'
import type { Admin } from '../admin-routes'
import { timeOf } from '../flow-status'
import { readFilter } from '../read-filter'
import { columnsSearched, containsAny } from '../search-filter'
import { runColumns } from './run-columns'
import { SEARCHED } from './run-searched'
import { runsWithColumns } from './runs-of'
import { RUN_STATES, stateFilter, type WfAdminRunState } from './run-state'

/** Which runs are meant, as parameters of a query or fields of a body. */
export interface WfAdminRunSelection {
  readonly state?: WfAdminRunState | 'all' | undefined
  readonly status?: WfRunStatus | 'all' | undefined
  readonly workflow?: string | undefined
  readonly step?: string | undefined
  readonly correlation?: string | undefined
  /** A filter of columns, as JSON. */
  readonly filter?: string | undefined
  readonly search?: string | undefined
  /** Looks for the text in the contexts, and not in the columns. */
  readonly inside?: 'context' | undefined
}

/** Their names. */
export const SELECTION = [
  'state',
  'status',
  'workflow',
  'step',
  'correlation',
  'filter',
  'search',
  'inside',
] as const satisfies readonly (keyof WfAdminRunSelection)[]

const STATUSES: readonly (WfRunStatus | 'all')[] = [
  'all',
  'created',
  'active',
  'paused',
  'error',
  'completed',
  'failed',
  'cancelled',
]

/** Which runs are meant, checked. */
export interface RunSelection {
  readonly query: Pick<WfRunListOptions, 'schemaId' | 'correlationId' | 'status'> & {
    readonly filter: object
  }
  /** All of it as one filter. */
  readonly filter: object
  /** A text that is looked for in the contexts, in small letters. */
  readonly inside: string | undefined
}

/** What a selection is read from: parameters, or the fields of a body. */
export interface SelectionSource {
  text(name: string): string | undefined
  choice<C extends string>(name: string, choices: readonly C[], byDefault: C): C
}

/** @throws AdminRefusal 400; WfError `WF_DB_FILTER` */
export function readSelection(admin: Admin, given: SelectionSource): RunSelection {
  const columns = runColumns(admin)
  const state = given.choice('state', ['all', ...RUN_STATES], 'all')
  const status = given.choice('status', STATUSES, 'all')
  const inside = given.text('inside')
  if (inside !== undefined && inside !== 'context') throw badRequest('"inside" is context.')
  const search = readSearch(given.text('search'), inside !== undefined)
  const stepId = given.text('step')
  const parts = [
    state === 'all' ? {} : stateFilter(state, timeOf(admin.store)),
    readFilter(given.text('filter'), columns),
    stepId === undefined ? {} : { stepId },
    search !== undefined && !inside ? containsAny(search, columnsSearched(columns, SEARCHED)) : {},
  ]
  const query = {
    schemaId: given.text('workflow'),
    correlationId: given.text('correlation'),
    status: status === 'all' ? undefined : status,
    filter: all(parts),
  }
  if (Object.keys(query.filter).length > 0) runsWithColumns(admin)
  const { schemaId, correlationId } = query
  const named = [
    schemaId === undefined ? {} : { schemaId },
    correlationId === undefined ? {} : { correlationId },
    query.status === undefined ? {} : { status: query.status },
  ]
  const looksInside = inside ? search?.toLowerCase() : undefined
  return { query, filter: all([...named, ...parts]), inside: looksInside }
}

const LONGEST_SEARCH = 200

function readSearch(text: string | undefined, isInside: boolean): string | undefined {
  const search = text?.trim() || undefined
  if (search === undefined && isInside) throw badRequest('Say in "search" what to look for.')
  if ((search?.length ?? 0) <= LONGEST_SEARCH) return search
  throw badRequest(`A search has at most ${LONGEST_SEARCH} characters.`)
}

function all(parts: readonly object[]): object {
  const $and = parts.filter(part => Object.keys(part).length > 0)
  return $and.length > 0 ? { $and } : {}
}
