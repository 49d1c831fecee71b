import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { SqlValue } from '../row/sql-value'
import type { D1Statements } from './d1-statements'

/** What Kysely asks of a database directly: how its tables look. */
export class D1Driver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(statements: D1Statements) {
    this.#connection = {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
        const { rows } = await statements.execute(sql, parameters as readonly SqlValue[])
        return { rows: rows as Row[] }
      },
      streamQuery: () => refuse('stream'),
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    refuse('transaction')
  }

  async commitTransaction(): Promise<void> {
    refuse('transaction')
  }

  async rollbackTransaction(): Promise<void> {
    refuse('transaction')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

function refuse(what: string): never {
  throw new Error(`D1 has no ${what}.`)
}
