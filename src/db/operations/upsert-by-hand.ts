import { sql } from 'kysely'
import { WfError } from '../../errors'
import type { Comparison, Condition } from '../filter/condition'
import { toSql } from '../filter/to-sql'
import type { SqlRow } from '../row/sql-row'
import { shapeOfMoments, termFor } from '../row/sql-terms'
import { tryInsertRow } from './insert-rows'
import { runWhere, type TableAccess } from './table-access'
import type { UpsertPlan } from './upsert-plan'

/** An update and an insert can each be overtaken by another's insert and delete, but not for ever. */
const ROUNDS = 5

/** For what a single statement of this database cannot do: an update, else an insert, in a transaction. */
export function upsertByHand(
  access: TableAccess,
  row: SqlRow,
  plan: UpsertPlan,
): Promise<Record<string, unknown>> {
  const { schema } = access
  const where: Condition = {
    all: plan.conflict.map((column): Comparison => ({
      column,
      operator: '=',
      values: [row.get(column) ?? null],
      orNull: false,
    })),
  }
  return access.session.atomically(async session => {
    const inside = { ...access, session }
    await updateOrInsert(inside, row, plan, where)
    if (plan.returning.length === 0) return {}
    const { rows } = await runWhere(inside, `reread ${plan.returning.join()}`, where, [], db =>
      db
        .selectFrom(schema.name)
        .select([...plan.returning])
        .where(toSql(where, session.engine)),
    )
    return rows[0] ?? {}
  })
}

async function updateOrInsert(
  access: TableAccess,
  row: SqlRow,
  plan: UpsertPlan,
  where: Condition,
) {
  for (let round = 0; round < ROUNDS; round++) {
    if ((await update(access, row, plan, where)) > 0) return
    if (await tryInsertRow(access, row)) return
  }
  throw new WfError('WF_CONFLICT', 'A row with the same unique value exists.')
}

async function update(
  access: TableAccess,
  row: SqlRow,
  { copy, increment }: UpsertPlan,
  where: Condition,
) {
  const values = copy.map(column => row.get(column) ?? null)
  const name = `rewrite ${copy.join()} ${increment.join()}${shapeOfMoments([row])}`
  const { affected } = await runWhere(access, name, where, values, db =>
    db
      .updateTable(access.schema.name)
      .set(
        Object.fromEntries([
          ...copy.map((column, at) => [column, termFor(access.session.engine, values[at]!)]),
          ...increment.map(column => [column, sql`${sql.ref(column)} + 1`]),
        ]),
      )
      .where(toSql(where, access.session.engine)),
  )
  return affected
}
