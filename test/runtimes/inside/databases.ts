// Takes the place of test/support/databases.ts: the databases that this runtime can open.
import type { TestEngine } from '../../support/databases'

export type { TestDatabase, TestEngine } from '../../support/databases'

/** A kind of database, and what its tables lack. */
export interface OfferedEngine extends TestEngine {
  readonly lacks?: { readonly transactions?: string } | undefined
}

let engines: readonly OfferedEngine[] = []

export function offer(found: readonly OfferedEngine[]): void {
  engines = found
}

export const conformanceEngines = (): readonly OfferedEngine[] => engines

/** There is none: `mysqlUrl` is not provided. */
export function mysqlDatabase(): never {
  throw new Error('MariaDB is not tested here.')
}
