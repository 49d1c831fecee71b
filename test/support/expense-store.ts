import type { WfState } from '@atscript/moost-wf'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { AsWfStore, type AsWfStoreOptions } from '@atscript/moost-wf/store'
import { FakeClock } from '@atscript/moost-wf/testing'
import { onTestFinished } from 'vitest'
import { ExpenseStateRow } from '../fixtures/schemas/expense-state-row.as'

export const expense = (context: unknown, schemaId = 'approvals/expense'): WfState => ({
  schemaId,
  indexes: [1],
  context,
})

/** A table with shadow columns in a database of its own, a store on it, and its clock. */
export async function openExpenses(options: Partial<AsWfStoreOptions> = {}) {
  const space = openSqlite(':memory:')
  onTestFinished(() => space.close())
  const table = space.table(ExpenseStateRow)
  await space.sync()
  const clock = new FakeClock()
  const warnings: string[] = []
  const store = new AsWfStore({ table, clock, warn: text => warnings.push(text), ...options })
  const rowOf = async (handle: string) => (await table.findOne({ filter: { handle } }))!
  return { space, table, clock, store, warnings, rowOf }
}
