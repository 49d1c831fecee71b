import { type CarryOutCommit, commitInTransaction } from '../commit/carry-out-commit'
import { type CommitPlan, isInsert } from '../commit/commit-plan'
import { changeStatement, rereadStatement, updateGate } from '../commit/commit-steps'
import { fitsOneStatement, insertsMany } from '../commit/fits-one-statement'
import type { DbEngine } from '../db-engine'
import { insertion } from '../operations/insert-rows'
import type { Statement } from '../session/db-session'

/**
 * Carries out a commit in one round trip where the server takes a compound statement, as MariaDB
 * does. It begins and ends the transaction itself, so it cannot be a part of one.
 */
export const commitInCompound: CarryOutCommit = async (session, plan) => {
  const { compound = false } = await session.traits()
  if (!compound || session.isTransaction || !fitsOneStatement(session.engine, plan)) {
    return commitInTransaction(session, plan)
  }
  const { rows } = await session.run(compoundStatement(session.engine, plan))
  return rows[0] ?? null
}

/** Unlike a column, whose name it would hide, it has a space. */
const TAKEN = '`is taken`'

const BEGIN = `begin not atomic declare ${TAKEN} bool default false; declare exit handler for sqlexception begin rollback; resignal; end; start transaction`

function compoundStatement(engine: DbEngine, plan: CommitPlan): Statement {
  const { gate } = plan
  const first = isInsert(gate)
    ? insertion(engine, gate.schema, [gate.row])
    : updateGate(engine, gate, [])
  const rest = [
    ...plan.changes.map(change => changeStatement(engine, change)),
    ...plan.inserts.map(({ schema, rows }) => insertion(engine, schema, rows)),
    rereadStatement(engine, plan),
  ]
  const all = [first, ...rest]
  return {
    shape: `commit ${all.map(({ shape }) => shape).join(' and ')}`,
    isOneOff: insertsMany(plan) || all.some(({ isOneOff }) => isOneOff),
    values: all.flatMap(({ values }) => values),
    build: db => ({
      compile: () => {
        const [passed, ...others] = all.map(statement => statement.build(db).compile())
        const passing = isInsert(gate)
          ? `begin declare continue handler for 1062 set ${TAKEN} = true; ${passed!.sql}; end; if not ${TAKEN}`
          : `${passed!.sql}; if row_count() = 1`
        return {
          ...passed!,
          sql: `${BEGIN}; ${passing} then ${others.map(({ sql }) => sql).join('; ')}; end if; commit; end`,
          parameters: [passed!, ...others].flatMap(({ parameters }) => parameters),
        }
      },
    }),
  }
}
