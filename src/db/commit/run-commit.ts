import { decodeRow } from '../row/decode-row'
import type { TableSchema } from '../schema/table-schema'
import type { DbTableType } from '../schema/table-type'
import type { DbSession } from '../session/db-session'
import { carryOut, commitSurely } from './commit-surely'
import type { DbCommit, DbCommitResult } from './db-commit'
import { planCommit } from './plan-commit'

/** Checks a commit, carries it out, and says what became of it. */
export async function runCommit<Row extends object, Returned extends keyof Row>(
  session: DbSession,
  schemaOf: (type: DbTableType) => TableSchema,
  commit: DbCommit<Row, Returned>,
): Promise<DbCommitResult<Pick<Row, Returned>>> {
  const plan = planCommit(commit as unknown as DbCommit<object>, schemaOf)
  // What becomes of a transaction is the business of whoever began it.
  const raw = await (session.isTransaction ? carryOut : commitSurely)(session, plan)
  if (!raw) return { held: false }
  if (plan.returning.length === 0) return { held: true, row: {} as Pick<Row, Returned> }
  const decoded = decodeRow(plan.gate.schema, raw)
  const row = Object.fromEntries(plan.returning.map(column => [column, decoded[column]]))
  return { held: true, row: row as Pick<Row, Returned> }
}
