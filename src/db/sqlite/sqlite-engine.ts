import type { Clock } from '../../state'
import type { DbEngine } from '../db-engine'
import { commitAtOnce } from './commit-at-once'
import type { SqliteDriver } from './sqlite-driver'
import { sqliteFailure } from './sqlite-failure'
import { sqliteLanguage } from './sqlite-language'

/** What is special about SQLite in a file of ours. */
export function sqliteEngine(driver: SqliteDriver, clock?: Clock): DbEngine {
  return {
    ...sqliteLanguage(driver, clock),
    name: 'sqlite',
    commit: commitAtOnce(driver),
    maxParameters: 32_766,
    execute: (sql, values) => driver.execute(sql, values),
    failureOf: sqliteFailure,
    keepPrepared: sql => driver.connection.kept.add(sql),
    close: () => driver.destroy(),
    exclusively: (db, work) => db.transaction().execute(work),
  }
}
