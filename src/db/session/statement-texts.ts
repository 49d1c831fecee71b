import { WfError } from '../../errors'
import type { AnyKysely, BoundStatement, DbEngine } from '../db-engine'
import { filterError } from '../filter/filter-error'
import { boundValues } from '../row/sql-terms'
import type { Statement } from './db-session'

/** How many shapes are kept: the oldest go first, and are built again if they are still in use. */
const CAPACITY = 500

/**
 * The SQL of statements, built once per shape: building costs more than running. Only the text is
 * kept; a compiled query would hold the values of its first call.
 */
export class StatementTexts {
  readonly #texts = new Map<string, string>()

  constructor(readonly engine: DbEngine) {}

  /** A statement with its values, no more of them than the engine takes. */
  bind(db: AnyKysely, statement: Statement): BoundStatement {
    const sql = this.#textOf(db, statement)
    const values = boundValues(this.engine, statement.values)
    const { maxParameters, packValues } = this.engine
    if (values.length <= maxParameters) return { sql, values }
    if (packValues) return packValues(sql, values)
    throw filterError(`this database takes ${maxParameters} values at once, not ${values.length}`)
  }

  #textOf(db: AnyKysely, statement: Statement): string {
    if (statement.isOneOff) return build(db, statement)
    const known = this.#texts.get(statement.shape)
    if (known !== undefined) return known
    const built = build(db, statement)
    if (this.#texts.size >= CAPACITY) {
      const [oldest = ''] = this.#texts.keys()
      this.#texts.delete(oldest)
    }
    this.#texts.set(statement.shape, built)
    this.engine.keepPrepared(built)
    return built
  }
}

function build(db: AnyKysely, statement: Statement): string {
  const { sql, parameters } = statement.build(db).compile()
  checkOrder(statement, parameters)
  return sql
}

/** Values are bound by position, so a shape whose SQL names them in another order must not be kept. */
function checkOrder({ values, shape }: Statement, built: readonly unknown[]): void {
  const same = values.length === built.length && values.every((value, at) => value === built[at])
  if (!same) throw new WfError('WF_DB_FAILED', `The values of "${shape}" are out of order.`)
}
