import { WfError } from '../../errors'
import type { Clock } from '../../state'
import { DbSpace } from '../db-space'
import { openSqliteFile } from './load-sqlite'
import type { SqliteDatabase } from './sqlite-database'
import { SqliteDriver } from './sqlite-driver'
import { sqliteEngine } from './sqlite-engine'

/** How to open a SQLite database. */
export interface OpenSqliteOptions {
  /**
   * How long to wait for other processes that write to the file, or for a transaction of this one.
   *
   * @default 5000
   */
  readonly busyTimeoutMs?: number | undefined
  /**
   * `normal` can lose the last commits when the machine loses power, though never when the process
   * is killed; `full` waits for the disk. Of a database that is handed over, its own setting counts.
   *
   * @default 'normal'
   */
  readonly synchronous?: 'normal' | 'full' | undefined
  /**
   * What `now()` of the space goes by: for tests.
   *
   * @default the clock of the database
   */
  readonly clock?: Clock | undefined
}

/**
 * Opens a SQLite database: a file, `:memory:`, or a database that better-sqlite3 or a package with
 * the API of `node:sqlite` has opened, whose settings stay as they are.
 *
 * @throws WfError `WF_CONFIG` when there is no driver, naming the package to install, or the file
 * cannot be opened
 * @example
 * ```ts
 * import { openSqlite } from '@atscript/moost-wf/db/sqlite'
 *
 * const space = openSqlite('app.db')
 * ```
 */
export function openSqlite(
  file: string | SqliteDatabase,
  { busyTimeoutMs = 5000, synchronous = 'normal', clock }: OpenSqliteOptions = {},
): DbSpace {
  if (!(busyTimeoutMs > 0)) throw new WfError('WF_CONFIG', 'busyTimeoutMs is a positive number.')
  if (synchronous !== 'normal' && synchronous !== 'full') {
    throw new WfError('WF_CONFIG', "synchronous is 'normal' or 'full'.")
  }
  const database = typeof file === 'string' ? openFile(file, synchronous) : file
  return new DbSpace(sqliteEngine(new SqliteDriver({ database, busyTimeoutMs }), clock))
}

/** Long enough for processes that start at once; later waits do not block the process. */
const OPENING_MS = 5000
const BLOCKING_MS = 20

function openFile(path: string, synchronous: string): SqliteDatabase {
  let database: SqliteDatabase | undefined
  try {
    database = openSqliteFile(path)
    database.exec(`pragma busy_timeout = ${OPENING_MS}`)
    database.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}`)
    database.exec(`pragma busy_timeout = ${BLOCKING_MS}`)
    return database
  } catch (error) {
    database?.close()
    if (error instanceof WfError) throw error
    const { message } = error as Error
    // It may be an address with a slip in it, and a password.
    const named = /[@;]|password/iu.test(path) ? '' : ` "${path}"`
    const problem = `The SQLite file${named} cannot be opened: ${message}.`
    throw new WfError('WF_CONFIG', problem, { cause: error })
  }
}
