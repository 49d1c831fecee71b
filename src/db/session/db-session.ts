import type { Compilable } from 'kysely'
import type { AnyKysely, BoundStatement, DbEngine, EngineTraits, SqlResult } from '../db-engine'
import type { SqlTerm } from '../row/sql-value'

/** What is asked, as the tables put it. */
export interface Statement {
  /** Equal for statements that differ only in their values. */
  readonly shape: string
  /**
   * One that will hardly come again as it is: its text depends on how many values there are, or on
   * which page is asked for. It is not kept.
   */
  readonly isOneOff?: boolean | undefined
  /** In the order in which the SQL names them. */
  readonly values: readonly SqlTerm[]
  build(db: AnyKysely): Compilable
}

/** Where statements run: on the space, or within one transaction. */
export interface DbSession {
  readonly engine: DbEngine
  readonly isTransaction: boolean
  /** Whether {@link atomically} runs anything. */
  readonly hasTransactions: boolean
  traits(): Promise<EngineTraits>
  /** A statement as {@link run} would run it. */
  bind(statement: Statement): BoundStatement
  /** @throws WfError `WF_CONFLICT`, `WF_DB_UNAVAILABLE` or `WF_DB_FAILED` */
  run(statement: Statement): Promise<SqlResult>
  /** Runs statements one after the other, all of them or none. */
  runAll(statements: readonly Statement[]): Promise<readonly SqlResult[]>
  /**
   * Runs a statement that may find a unique value taken, without giving up a transaction for it:
   * only for databases on which a refused statement leaves the transaction usable.
   *
   * @returns `null` then
   */
  tryRun(statement: Statement): Promise<SqlResult | null>
  /**
   * Runs `work` in a transaction, or as a part of the one that this session is. What `work` throws
   * is thrown as it is.
   *
   * @throws WfError `WF_CONFIG` where no transaction is kept open
   */
  atomically<R>(work: (session: DbSession) => Promise<R>): Promise<R>
}
