import type { WfStoredState } from '../../state'
import { isExpired, wholeTime } from '../rows/expiry'
import { findByHandle } from './find-state-row'
import { looksUp, type StateRows } from './state-rows'
import { isHandle, storedHandle, type WfStoredRow } from './stored-row'

/** Half of what one list of a filter takes. */
const HANDLES_PER_QUERY = 500

type FoundRows = AsyncGenerator<[handle: string, row: WfStoredRow]>

/** The states of many handles, of those that can be resumed. */
export async function readStates(
  states: StateRows,
  handles: Iterable<string>,
): Promise<Map<string, WfStoredState>> {
  const { rows, hooks, options } = states
  const found = new Map<string, WfStoredState>()
  const rowsFound = looksUp(states)
    ? rowsOneByOne(states, handles)
    : rowsOfHandles(states, handles, { scope: rows.scope() })
  for await (const [handle, row] of rowsFound) {
    if (isExpired(row, wholeTime(options.clock))) continue
    found.set(handle, hooks.assembleResult(row))
  }
  return found
}

/** Which of these texts are handles, whatever scope they are of. */
export async function handlesAmong(
  states: StateRows,
  texts: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const controls = { $select: ['handle'] }
  for await (const [handle] of rowsOfHandles(states, texts, { controls })) found.add(handle)
  return found
}

async function* rowsOneByOne(states: StateRows, handles: Iterable<string>): FoundRows {
  for (const handle of handles) {
    const row = await findByHandle(states, handle)
    if (row) yield [handle, row]
  }
}

/** The rows of many handles, each with the handle as it was asked for, in as few queries as can be. */
async function* rowsOfHandles(
  { rows, options }: StateRows,
  handles: Iterable<string>,
  { scope, controls }: { readonly scope?: object; readonly controls?: object },
): FoundRows {
  const asked = new Map<string, string>()
  for (const handle of handles) {
    if (isHandle(handle)) asked.set(await storedHandle(handle, options), handle)
  }
  const stored = [...asked.keys()]
  for (let at = 0; at < stored.length; at += HANDLES_PER_QUERY) {
    const filter = { handle: { $in: stored.slice(at, at + HANDLES_PER_QUERY) }, ...scope }
    const found = (await rows.table.findMany({ filter, controls })) as WfStoredRow[]
    for (const row of found) yield [asked.get(row.handle) ?? row.handle, row]
  }
}
