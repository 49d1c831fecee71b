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
  const [row = null] = rows
  return asksForRow(plan) ? row : row ? null : DONE
}

const DONE = Object.freeze({})

const asksForRow = ({ returning }: CommitPlan): boolean => returning.length > 0

/** Unlike a column, whose name it would hide, it has a space. */
const TAKEN = '`is taken`'

const NOT_HELD = '`not held`'

// What else fails ends the whole, and leaves its transaction to whoever has sent it: a handler for that would cost
// as much as a statement of the commit.
const insertedUnlessTaken = (insert: string) => ({
  declares: `declare ${TAKEN} bool default false;`,
  statement: `begin declare continue handler for 1062 set ${TAKEN} = true; ${insert}; end`,
  passes: `not ${TAKEN}`,
})
const updated = (update: string) => ({ declares: '', statement: update, passes: 'row_count() = 1' })

function compoundStatement(engine: DbEngine, plan: CommitPlan): Statement {
  const { gate } = plan
  const first = isInsert(gate)
    ? insertion(engine, gate.schema, [gate.row])
    : updateGate(engine, gate, [])
  const rest = [
    ...plan.changes.map(change => changeStatement(engine, change)),
    ...plan.inserts.map(({ schema, rows }) => insertion(engine, schema, rows)),
    ...(asksForRow(plan) ? [rereadStatement(engine, plan)] : []),
  ]
  const all = [first, ...rest]
  return {
    shape: `commit ${all.map(({ shape }) => shape).join(' and ')}`,
    isOneOff: insertsMany(plan) || all.some(({ isOneOff }) => isOneOff),
    values: all.flatMap(({ values }) => values),
    build: db => ({
      compile: () => {
        const [passed, ...others] = all.map(statement => statement.build(db).compile())
        const gated = isInsert(gate) ? insertedUnlessTaken(passed!.sql) : updated(passed!.sql)
        const held = others.map(({ sql }) => `${sql};`).join(' ')
        // A result costs as much as a statement, too: silence says that all was done.
        const told = asksForRow(plan) ? '' : `select 1 as ${NOT_HELD};`
        const then = held
          ? `if ${gated.passes} then ${held}${told && ` else ${told}`}`
          : `if not (${gated.passes}) then ${told}`
        return {
          ...passed!,
          sql: `begin not atomic ${gated.declares} start transaction; ${gated.statement}; ${then} end if; commit; end`,
          parameters: [passed!, ...others].flatMap(({ parameters }) => parameters),
        }
      },
    }),
  }
}
