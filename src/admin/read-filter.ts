import { WfError } from '../errors'
import { isRecord, isStorable } from '../state'
import type { WfRowColumn } from '../store'
import { badRequest, unstorable } from './admin-refusal'

const LONGEST_FILTER = 10_000
const MAX_DEPTH = 20
const OPERATORS = new Set('$eq $ne $gt $gte $lt $lte $in $nin $contains $exists $not'.split(' '))

/**
 * A filter as an admin has sent it. Only columns that are shown may be named: to filter by a handle
 * would be to ask for it, letter by letter. Whether values fit is for the table to say.
 *
 * @throws AdminRefusal 400; WfError `WF_DB_FILTER`
 */
export function readFilter(text: string | undefined, columns: readonly WfRowColumn[]): object {
  if (text === undefined) return {}
  if (text.length > LONGEST_FILTER) {
    throw badRequest(`A filter has at most ${LONGEST_FILTER} characters.`)
  }
  const filter = parse(text)
  assertShown(filter, new Set(columns.map(({ name }) => name)), MAX_DEPTH)
  if (!isStorable(filter)) throw unstorable('The filter')
  return filter as object
}

// The parser's own message quotes the text.
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('The filter is not valid JSON.')
  }
}

function assertShown(filter: unknown, shown: ReadonlySet<string>, depth: number): void {
  if (!isRecord(filter)) throw refused('a filter is an object')
  if (depth === 0) throw refused('it nests too deeply')
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$not') assertShown(value, shown, depth - 1)
    else if (key === '$and' || key === '$or') {
      if (!Array.isArray(value)) throw refused(`${key} takes a list of filters`)
      for (const part of value) assertShown(part, shown, depth - 1)
    } else if (shown.has(key)) assertOperators(value, depth - 1)
    else throw refused(`${JSON.stringify(key.slice(0, 40))} is not a column that is shown`)
  }
}

/** Not every table refuses what it should: the public one has `$regex`, for example. */
function assertOperators(value: unknown, depth: number): void {
  if (Array.isArray(value)) throw refused('a column is compared with a value, or by operators')
  if (!isRecord(value)) return
  if (depth === 0) throw refused('it nests too deeply')
  for (const [operator, operand] of Object.entries(value)) {
    if (!OPERATORS.has(operator)) throw refused('a column is compared by known operators')
    if (operator === '$not') assertOperators(operand, depth - 1)
    else if (isRecord(operand)) throw refused('an operator takes values')
  }
}

function refused(problem: string): WfError {
  return new WfError('WF_DB_FILTER', `The query is refused: ${problem}.`)
}
