import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { describeCommitRaces } from './table/commit-races.suite'
import { commitTables } from './table/commit-types'
import { describeCommits } from './table/commits.suite'
import { describeClock } from './table/clock.suite'
import { describeFilters } from './table/filters.suite'
import { describeRaces } from './table/races.suite'
import { describeRefusedCommits } from './table/refused-commits.suite'
import { SuiteType } from './table/suite-type'
import { describeSync } from './table/sync.suite'
import type { TableFixture, TableSuite } from './table/table-database'
import { describeValues } from './table/values.suite'
import { describeWrites } from './table/writes.suite'

/**
 * The conformance suite of tables, for vitest: what passes it, `AsWfStore` and the admin pages can
 * stand on.
 *
 * @example
 * ```ts
 * import { openSqlite } from '@atscript/moost-wf/db/sqlite'
 * import { describeTable } from '@atscript/moost-wf/testing'
 *
 * describeTable({
 *   name: 'SQLite in memory',
 *   create: () => ({ open: () => openSqlite(':memory:') }),
 *   lacks: { sharing: 'each connection has a memory of its own' },
 * })
 * ```
 */
export function describeTable({ name, create, lacks = {} }: TableSuite): void {
  describe(`table: ${name}`, () => {
    let fixture: TableFixture
    const current = () => fixture

    beforeAll(async () => {
      const database = await create()
      const space = await database.open()
      const table = space.table(SuiteType) as unknown as TableFixture['table']
      commitTables(space)
      await space.sync()
      fixture = { database, space, table }
    })
    beforeEach(() => fixture.table.deleteMany({}))
    afterAll(async () => {
      await fixture.space.close()
      await fixture.database.drop?.()
    })

    describeValues(current)
    describeFilters(current)
    describeWrites(current, lacks)
    describeRaces(current, lacks)
    describeCommits(current, lacks)
    describeRefusedCommits(current)
    describeCommitRaces(current, lacks)
    describeClock(current)
    describeSync(current, lacks)
  })
}
