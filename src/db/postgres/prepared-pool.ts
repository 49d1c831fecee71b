import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { SqlResult } from '../db-engine'
import { KeptTexts } from '../kept-texts'
import type { SqlValue } from '../row/sql-value'
import { postgresFailure } from './postgres-failure'
import type { PgClient, PgPool, PgQuery, PgResult } from './postgres-pool'

const TRANSACTION = /^(?:begin|start|commit|rollback)\b/u
/** "cached plan must not change result type": someone has changed the type of a column. */
const STALE_PLAN = '0A000'

/**
 * A pool for Kysely on which statements that come again are prepared once per connection. Kysely's
 * own driver has the server parse and plan each of them every time.
 */
export class PreparedPool implements PostgresPool {
  readonly kept = new KeptTexts()
  readonly #clients = new WeakMap<PgClient, PostgresPoolClient>()
  readonly #names = new Map<string, string>()
  readonly #heard = new WeakSet<PgClient>()
  readonly #broken = new WeakSet<PgClient>()
  #generation = 0
  #end: Promise<void> | undefined

  constructor(
    private readonly pool: PgPool,
    private readonly prepare: boolean,
  ) {}

  async connect(): Promise<PostgresPoolClient> {
    const client = this.#heardOf(await this.pool.connect())
    const known = this.#clients.get(client)
    if (known) return known
    const prepared = {
      query: (text: string, values: unknown[] = []) => this.#query(client, text, values),
      release: () => client.release(this.#broken.has(client)),
    } as PostgresPoolClient
    this.#clients.set(client, prepared)
    return prepared
  }

  async execute(text: string, values: readonly SqlValue[]): Promise<SqlResult> {
    const client = this.#heardOf(await this.pool.connect())
    try {
      const { rows, rowCount } = await client.query(this.#named(text, values as unknown[]))
      return { rows: rows as Record<string, unknown>[], affected: rowCount ?? 0 }
    } catch (error) {
      this.#learn(client, text, error)
      throw error
    } finally {
      client.release(this.#broken.has(client))
    }
  }

  end(): Promise<void> {
    this.#end ??= this.pool.end()
    return this.#end
  }

  /**
   * Besides failing its query, a connection that breaks while it is in use reports the error as an event,
   * and one that nobody hears ends the process.
   */
  #heardOf(client: PgClient): PgClient {
    if (this.#heard.has(client)) return client
    client.on('error', () => {})
    this.#heard.add(client)
    return client
  }

  async #query(client: PgClient, text: string, values: unknown[]): Promise<PgResult> {
    try {
      return await client.query(this.#named(text, values))
    } catch (error) {
      this.#learn(client, text, error)
      throw error
    }
  }

  #learn(client: PgClient, text: string, error: unknown): void {
    // A connection that may still be within a transaction, or at work, is not used again.
    if (TRANSACTION.test(text) || postgresFailure(error) === 'unavailable') {
      this.#broken.add(client)
    }
    if ((error as { code?: unknown }).code === STALE_PLAN) {
      this.#generation++
      this.#names.clear()
    }
  }

  #named(text: string, values: unknown[]): PgQuery {
    if (!this.prepare || !this.kept.has(text)) return { text, values }
    let name = this.#names.get(text)
    if (name === undefined) {
      // By its text: another user of the pool must not have given the name to another statement.
      const hash = createHash('sha256').update(`${this.#generation} ${text}`)
      name = `moost_wf_${hash.digest('base64url').slice(0, 22)}`
      this.#names.set(text, name)
    }
    return { name, text, values }
  }
}
