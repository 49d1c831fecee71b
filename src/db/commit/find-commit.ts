import type { Condition } from '../filter/condition'
import { toSql } from '../filter/to-sql'
import { statementWhere } from '../operations/table-access'
import type { TableSchema } from '../schema/table-schema'
import type { DbSession } from '../session/db-session'
import { COMMIT_ID, type CommitPlan, equals, keepsCommits, rowKey } from './commit-plan'
import type { RawRow } from './commit-steps'

/**
 * What became of a commit, as far as the tables tell.
 *
 * @returns the row that it has written; `'overwritten'` if it was carried out and columns were asked
 * for that are no longer what they were; `null` if it was not carried out; `undefined` if no
 * inserted row remembers it: then it was not, or a later commit has written the row
 */
export async function findCommit(
  session: DbSession,
  plan: CommitPlan,
): Promise<RawRow | 'overwritten' | null | undefined> {
  const { gate, returning, inserts, commitId } = plan
  const byCommit = equals(COMMIT_ID, commitId)
  const read = async (schema: TableSchema, key: Condition, columns: readonly string[]) => {
    const where = { all: [key, byCommit] }
    const { rows } = await session.run(
      statementWhere(schema, `find commit ${columns.join()}`, where, [], db =>
        db
          .selectFrom(schema.name)
          .select([...columns])
          .where(toSql(where, session.engine)),
      ),
    )
    return rows[0]
  }
  const row = await read(gate.schema, gate.key, [...gate.schema.primaryKey, ...returning])
  if (row) return row
  const kept = inserts.find(({ schema }) => keepsCommits(schema))
  if (!kept) return undefined
  const { schema, rows } = kept
  const remembered = await read(schema, rowKey(schema, rows[0]!), schema.primaryKey)
  if (!remembered) return null
  return returning.length === 0 ? {} : 'overwritten'
}
