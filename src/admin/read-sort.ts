import type { WfRowColumn } from '../store'
import { badRequest } from './admin-refusal'

const MOST_COLUMNS = 3
const BY_DEFAULT = '-updatedAt'

/** `-updatedAt,schemaId` as an order, with the id behind it, so that pages do not overlap. */
export function readSort(
  text: string | undefined,
  columns: readonly WfRowColumn[],
  id: string,
): Record<string, 1 | -1> {
  const asked = (text ?? BY_DEFAULT).split(',', MOST_COLUMNS + 1)
  if (asked.length > MOST_COLUMNS) throw badRequest(`Sort by at most ${MOST_COLUMNS} columns.`)
  const order = new Map<string, 1 | -1>()
  for (const part of asked) {
    const name = part.replace(/^-/u, '')
    if (!columns.some(column => column.name === name)) {
      throw badRequest('Sort by columns that are shown, with "-" in front for descending.')
    }
    order.set(name, part.startsWith('-') ? -1 : 1)
  }
  if (!order.has(id)) order.set(id, 1)
  return Object.fromEntries(order)
}
