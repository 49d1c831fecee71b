import type { Clock } from '../../state'
import type { AnyKysely, DbEngine } from '../db-engine'
import { sqliteLanguage } from '../sqlite/sqlite-language'
import { commitInBatch } from './commit-in-batch'
import { D1Driver } from './d1-driver'
import { d1Failure, isAlreadyThere } from './d1-failure'
import type { D1Statements } from './d1-statements'

/** What is special about D1. */
export function d1Engine(statements: D1Statements, clock?: Clock): DbEngine {
  const batch: DbEngine['batch'] = all => statements.batch(all)
  return {
    ...sqliteLanguage(new D1Driver(statements), clock),
    name: 'd1',
    batch,
    commit: commitInBatch(batch),
    maxParameters: 100,
    execute: (sql, values) => statements.execute(sql, values),
    failureOf: d1Failure,
    // D1 keeps what it has prepared by itself.
    keepPrepared: () => {},
    close: async () => {},
    exclusively,
  }
}

/** One for each other process that may come first. */
const ATTEMPTS = 20

/** Nothing can be locked. Whoever comes second finds the work done, and looks at what is left of it. */
async function exclusively<R>(db: AnyKysely, work: (db: AnyKysely) => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(db)
    } catch (error) {
      if (attempt === ATTEMPTS || !isAlreadyThere(error)) throw error
    }
  }
}
