import { WfError } from '../../errors'
import type { AnyKysely, BoundStatement, DbEngine, EngineTraits, SqlResult } from '../db-engine'
import type { DbSession, Statement } from './db-session'
import { isTransactionUndone, toWfError } from './driver-error'
import { retrying } from './retrying'
import type { StatementTexts } from './statement-texts'
import { TransactionSession } from './transaction-session'

/** Statements on their own: each is a transaction, and repeated after a deadlock. */
export class SpaceSession implements DbSession {
  readonly isTransaction = false
  constructor(
    private readonly db: AnyKysely,
    private readonly texts: StatementTexts,
    readonly traits: () => Promise<EngineTraits>,
  ) {}

  get engine(): DbEngine {
    return this.texts.engine
  }

  bind(statement: Statement): BoundStatement {
    return this.texts.bind(this.db, statement)
  }

  get hasTransactions(): boolean {
    return this.engine.batch === undefined
  }

  async run(statement: Statement): Promise<SqlResult> {
    const { engine } = this
    const { sql, values } = this.bind(statement)
    try {
      return await engine.execute(sql, values)
    } catch (error) {
      if (engine.failureOf(error) !== 'retry') throw toWfError(engine, error)
    }
    return this.#again(sql, values)
  }

  async #again(sql: string, values: BoundStatement['values']): Promise<SqlResult> {
    const { engine } = this
    try {
      return await retrying(
        () => engine.execute(sql, values),
        error => engine.failureOf(error) === 'retry',
      )
    } catch (error) {
      throw toWfError(engine, error)
    }
  }

  async runAll(statements: readonly Statement[]): Promise<readonly SqlResult[]> {
    const { engine } = this
    if (!engine.batch) return this.atomically(session => session.runAll(statements))
    const bound = statements.map(statement => this.bind(statement))
    try {
      return await engine.batch(bound)
    } catch (error) {
      throw toWfError(engine, error)
    }
  }

  async tryRun(statement: Statement): Promise<SqlResult | null> {
    try {
      return await this.run(statement)
    } catch (error) {
      if ((error as { code?: unknown }).code === 'WF_CONFLICT') return null
      throw error
    }
  }

  async atomically<R>(work: (session: DbSession) => Promise<R>): Promise<R> {
    if (!this.hasTransactions) throw noTransactions(this.engine)
    // Asked for on another connection, which may not be free once a transaction holds one.
    await this.traits()
    let failure: { readonly error: unknown } | undefined
    const attempt = () => {
      failure = undefined
      return this.db.transaction().execute(async db => {
        const session = new TransactionSession(db, this.texts, this.traits)
        try {
          return await session.complete(work)
        } catch (error) {
          failure = { error }
          throw error
        }
      })
    }
    try {
      return await retrying(attempt, error =>
        failure ? isTransactionUndone(failure.error) : this.engine.failureOf(error) === 'retry',
      )
    } catch (error) {
      throw failure ? failure.error : toWfError(this.engine, error)
    }
  }
}

const noTransactions = ({ name }: DbEngine): WfError =>
  new WfError(
    'WF_CONFIG',
    `This database (${name}) keeps no transaction open while other code runs. What belongs together is one space.commit(), which is carried out as a whole or not at all.`,
  )
