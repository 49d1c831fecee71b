import type { DbSpace, DbTable } from '../../db'
import type { SuiteRow } from './suite-type'

/** An empty database that a suite has to itself. */
export interface TableDatabase {
  /** Opens it; each call is a connection of its own, as another process would have. */
  open(): DbSpace | Promise<DbSpace>
  /** Removes it. All spaces are closed by then. */
  drop?(): void | Promise<void>
}

/** What a database may lack, each with the reason, which is printed. */
export interface TableLacks {
  /** Two spaces do not see the same rows. */
  readonly sharing?: string | undefined
  /** No transaction is kept open while other code runs: what belongs together is a commit. */
  readonly transactions?: string | undefined
}

export interface TableSuite {
  readonly name: string
  /** Called once. */
  create(): TableDatabase | Promise<TableDatabase>
  readonly lacks?: TableLacks | undefined
}

/** What the tests of a suite work with. */
export interface TableFixture {
  readonly space: DbSpace
  readonly table: DbTable<SuiteRow>
  readonly database: TableDatabase
}
