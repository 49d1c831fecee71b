import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { describeTable } from '@atscript/moost-wf/testing'
import { describe, inject, it } from 'vitest'
import { d1Database } from '../support/d1-database'
import {
  fewParametersDatabase,
  mysqlDatabase,
  postgresDatabase,
  sqliteDatabase,
} from '../support/databases'

describeTable({ name: 'SQLite in a file', create: sqliteDatabase })

describeTable({
  name: 'SQLite in memory',
  create: () => ({ open: () => openSqlite(':memory:') }),
  lacks: { sharing: 'each connection has a memory of its own' },
})

describeTable({
  name: 'SQLite with 100 parameters in a statement',
  create: () => fewParametersDatabase(100),
})

describeTable({
  name: 'D1',
  create: d1Database,
  lacks: { transactions: 'D1 keeps none open: what belongs together is a commit' },
})

describeTable({ name: 'PostgreSQL', create: postgresDatabase })

if (inject('mysqlUrl')) {
  describeTable({ name: 'MariaDB', create: () => mysqlDatabase() })
  describeTable({
    name: 'MariaDB, as MySQL would be, without returning',
    create: () => mysqlDatabase({ returning: false }),
  })
} else {
  describe('table: MariaDB', () => {
    it.skip('is not tested (skipped: no server answers; see CONTRIBUTING.md)', () => {})
  })
}
