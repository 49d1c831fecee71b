import type { SqlTerm } from '../row/sql-value'

/** The comparisons that SQL gets to see. */
export type SqlOperator =
  | '='
  | '<>'
  | '>'
  | '>='
  | '<'
  | '<='
  | 'in'
  | 'not in'
  | 'contains'
  | 'not contains'
  | 'is null'
  | 'is not null'

/** One column compared. */
export interface Comparison {
  readonly column: string
  readonly operator: SqlOperator
  readonly values: readonly SqlTerm[]
  /** Null matches as well. Without it null never matches, as SQL has it. */
  readonly orNull: boolean
}

/**
 * A checked filter. There is no "not" in it: negation has been carried into the comparisons, so that
 * SQL's third truth value never comes up.
 */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | Comparison
