import { WfError } from '../../errors'
import type { BoundStatement, SqlResult } from '../db-engine'
import type { SqlValue } from '../row/sql-value'
import { messageOf } from './d1-failure'
import type { D1Answer, D1Binding, D1Statement } from './d1-binding'

/** What D1 promises to take. Its local stand-in takes more. */
const MOST_BYTES_OF_TEXT = 2_000_000
const MOST_BYTES_OF_STATEMENT = 100_000

/** Runs statements through a binding. */
export class D1Statements {
  constructor(private readonly binding: D1Binding) {}

  async execute(sql: string, values: readonly SqlValue[]): Promise<SqlResult> {
    return resultOf(await this.#bound({ sql, values }).all().catch(refuseDeep))
  }

  /** All of them or none. */
  async batch(statements: readonly BoundStatement[]): Promise<readonly SqlResult[]> {
    const bound = statements.map(statement => this.#bound(statement))
    return (await this.binding.batch(bound).catch(refuseDeep)).map(resultOf)
  }

  #bound({ sql, values }: BoundStatement): D1Statement {
    if (isLonger(sql, MOST_BYTES_OF_STATEMENT)) {
      throw new WfError('WF_DB_FILTER', 'The filter is refused: D1 takes statements of 100 KB.')
    }
    for (const value of values) {
      if (typeof value === 'string' && isLonger(value, MOST_BYTES_OF_TEXT)) {
        throw new WfError('WF_DB_ROW', 'A value is too large: D1 keeps rows of up to 2 MB.')
      }
    }
    return this.binding.prepare(sql).bind(...values.map(toD1Value))
  }
}

const resultOf = ({ results = [], meta }: D1Answer): SqlResult => ({
  rows: results as SqlResult['rows'],
  affected: results.length || (meta.changes ?? 0),
})

function refuseDeep(error: unknown): never {
  if (!/Expression tree is too large/u.test(messageOf(error))) throw error
  throw new WfError('WF_DB_FILTER', 'The filter is refused: it is nested too deep for D1.')
}

/** SQLite has no booleans. */
const toD1Value = (value: SqlValue): string | number | null =>
  typeof value === 'boolean' ? Number(value) : value

/** A character of a text is three bytes at most. */
const isLonger = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes
