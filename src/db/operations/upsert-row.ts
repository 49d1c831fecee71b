import { type RawBuilder, sql } from 'kysely'
import type { SqlRow } from '../row/sql-row'
import { shapeOfMoments, termsOf } from '../row/sql-terms'
import type { TableAccess } from './table-access'
import { upsertByHand } from './upsert-by-hand'
import type { UpsertPlan } from './upsert-plan'

/** Writes a row that may be there, in one statement where the database can do that safely. */
export async function upsertRow(
  access: TableAccess,
  row: SqlRow,
  plan: UpsertPlan,
): Promise<Record<string, unknown>> {
  const { schema, session } = access
  const { returning } = await session.traits()
  const canReturn = returning || plan.returning.length === 0
  // "On duplicate key" looks at every unique index: it would write to a row that merely shares
  // another unique value.
  const isSafe = session.engine.upsert === 'on conflict' || !plan.canMeetOthers
  if (!canReturn || !isSafe) return upsertByHand(access, row, plan)
  const { rows } = await session.run({
    shape: `${schema.name} ${plan.shape}${shapeOfMoments([row])}`,
    values: [...row.values()],
    build: db => {
      const insert = db.insertInto(schema.name).values(termsOf(session.engine, row))
      const upsert =
        session.engine.upsert === 'on conflict'
          ? insert.onConflict(on =>
              on.columns([...plan.conflict]).doUpdateSet(changes(access, plan, excluded)),
            )
          : insert.onDuplicateKeyUpdate(changes(access, plan, inserted))
      return plan.returning.length === 0 ? upsert : upsert.returning([...plan.returning])
    },
  })
  return rows[0] ?? {}
}

const excluded = (column: string) => sql`${sql.ref(`excluded.${column}`)}`
const inserted = (column: string) => sql`values(${sql.ref(column)})`

function changes(
  { schema }: TableAccess,
  { copy, increment }: UpsertPlan,
  written: (column: string) => RawBuilder<unknown>,
) {
  const copied = copy.map(column => [column, written(column)] as const)
  const raised = increment.map(column => {
    return [column, sql`${sql.ref(`${schema.name}.${column}`)} + 1`] as const
  })
  return Object.fromEntries([...copied, ...raised])
}
