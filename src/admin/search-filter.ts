import type { WfRowColumn } from '../store'
import { badRequest } from './admin-refusal'
import type { Admin } from './admin-routes'
import { canSearch } from './shown-columns'

const LONGEST_SEARCH = 200
const SEARCHED = ['schemaId', 'flowId', 'startedBy']

/** Looks for a text in the shadow columns that hold text, and in who the flow is. */
export function searchFilter(
  text: string | undefined,
  columns: readonly WfRowColumn[],
  admin: Pick<Admin, 'store'>,
): object {
  const wanted = text?.trim()
  if (!wanted) return {}
  if (wanted.length > LONGEST_SEARCH) {
    throw badRequest(`A search has at most ${LONGEST_SEARCH} characters.`)
  }
  if (!canSearch(admin)) throw badRequest('This table cannot be searched; use a filter.')
  return containsAny(wanted, columnsSearched(columns, SEARCHED))
}

/** The columns that a search looks at: shadow columns that hold text, and those that are named. */
export const columnsSearched = (columns: readonly WfRowColumn[], named: readonly string[]) =>
  columns.filter(
    ({ name, type, path }) => type === 'string' && (path !== undefined || named.includes(name)),
  )

/** Matches rows that have a text in one of these columns. */
export function containsAny(text: string, columns: readonly WfRowColumn[]): object {
  const spellings = spellingsOf(text)
  return {
    $or: columns.flatMap(({ name }) => spellings.map($contains => ({ [name]: { $contains } }))),
  }
}

/** Databases agree on letters only if case counts, so the usual spellings are all looked for. */
function spellingsOf(text: string): string[] {
  const lower = text.toLowerCase()
  const capital = lower.replace(/^./u, letter => letter.toUpperCase())
  return [...new Set([text, lower, capital])]
}
