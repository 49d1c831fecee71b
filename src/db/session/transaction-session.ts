import { CompiledQuery } from 'kysely'
import { WfError } from '../../errors'
import type { AnyKysely, BoundStatement, DbEngine, EngineTraits, SqlResult } from '../db-engine'
import type { DbSession, Statement } from './db-session'
import { toWfError } from './driver-error'
import type { StatementTexts } from './statement-texts'

/**
 * Statements of one transaction. A statement that fails ends it, on every database alike: some have
 * undone the rest by then, and a commit would keep half of the work, or none, without a word.
 */
export class TransactionSession implements DbSession {
  readonly isTransaction = true
  readonly hasTransactions = true
  readonly #pending = new Set<Promise<unknown>>()
  #failure: { readonly error: unknown } | undefined
  #isOver = false

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

  /** Runs `work`, and whatever it has begun and not waited for, to the end. */
  async complete<R>(work: (session: DbSession) => Promise<R>): Promise<R> {
    try {
      const result = await work(this)
      this.#isOver = true
      await Promise.allSettled(this.#pending)
      if (this.#failure) throw this.#failure.error
      return result
    } finally {
      this.#isOver = true
      // A statement that is still on its way would run after the end, on its own.
      await Promise.allSettled(this.#pending)
    }
  }

  async run(statement: Statement): Promise<SqlResult> {
    return this.#enter(() => this.#execute(statement).catch(error => this.#fail(error)))
  }

  async runAll(statements: readonly Statement[]): Promise<readonly SqlResult[]> {
    const results: SqlResult[] = []
    for (const statement of statements) results.push(await this.run(statement))
    return results
  }

  async tryRun(statement: Statement): Promise<SqlResult | null> {
    return this.#enter(() =>
      this.#execute(statement).catch((error: unknown) => {
        return this.engine.failureOf(error) === 'conflict' ? null : this.#fail(error)
      }),
    )
  }

  async atomically<R>(work: (session: DbSession) => Promise<R>): Promise<R> {
    return work(this)
  }

  #fail(error: unknown): never {
    this.#failure ??= { error: toWfError(this.engine, error) }
    throw this.#failure.error
  }

  async #execute(statement: Statement): Promise<SqlResult> {
    const { sql, values } = this.bind(statement)
    const query = CompiledQuery.raw(sql, [...values])
    const { rows, numAffectedRows } = await this.db.executeQuery<Record<string, unknown>>(query)
    return { rows, affected: Number(numAffectedRows ?? rows.length) }
  }

  async #enter<R>(operation: () => Promise<R>): Promise<R> {
    if (this.#failure) throw this.#failure.error
    if (this.#isOver) {
      throw new WfError('WF_DB_FAILED', 'The transaction is over: its work did not wait for this.')
    }
    const running = operation()
    const settled = running.catch(() => {})
    this.#pending.add(settled)
    void settled.then(() => this.#pending.delete(settled))
    return running
  }
}
