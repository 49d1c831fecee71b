import { WfError } from '../errors'
import type { DbSpace } from './db-space'
import type { OpenMysqlOptions } from './mysql'
import type { OpenPostgresOptions } from './postgres'
import type { OpenSqliteOptions } from './sqlite'

/** Options for whichever database a URL turns out to name. */
export interface OpenDatabaseOptions {
  readonly sqlite?: OpenSqliteOptions | undefined
  readonly postgres?: OpenPostgresOptions | undefined
  readonly mysql?: OpenMysqlOptions | undefined
}

/**
 * Opens the database that a URL names, for an application whose users choose: `app.db`, `file:app.db`,
 * `:memory:`, `postgres://…`, `mysql://…` or `mariadb://…`. Only the driver of that one is loaded.
 *
 * @throws WfError `WF_CONFIG` for any other address, which is not shown because it may hold a password;
 * when there is no driver, naming the package to install; when an SQLite file cannot be opened
 * @example
 * ```ts
 * import { openDatabase } from '@atscript/moost-wf/db'
 *
 * const space = await openDatabase(process.env.DATABASE_URL ?? 'app.db')
 * ```
 */
export async function openDatabase(
  url: string,
  { sqlite, postgres, mysql }: OpenDatabaseOptions = {},
): Promise<DbSpace> {
  const scheme = schemeOf(url)
  // Loaded when they are needed: each is built on Node, which this file is not.
  if (scheme === 'postgres' || scheme === 'postgresql') {
    return (await import('./postgres')).openPostgres(url, postgres)
  }
  if (scheme === 'mysql' || scheme === 'mariadb') {
    return (await import('./mysql')).openMysql(url, mysql)
  }
  const file = scheme === 'file' ? fileOf(url) : url
  if ((scheme !== 'file' && scheme !== '') || !isPath(file)) {
    throw new WfError(
      'WF_CONFIG',
      'The address of the database is none that we know. It is a file (app.db or file:app.db), :memory:, postgres://user:password@host:5432/name or mysql://user:password@host:3306/name.',
    )
  }
  return (await import('./sqlite')).openSqlite(file, sqlite)
}

/** A single letter is a drive of Windows. */
function schemeOf(url: string): string {
  const [, scheme = ''] = /^([a-z][\w+.-]+):/iu.exec(url) ?? []
  return scheme.toLowerCase()
}

/** `file:app.db`, `file:/var/app.db` and `file:///var/app.db`, of which the last is a URL. */
function fileOf(url: string): string {
  const rest = url.slice('file:'.length)
  if (!rest.startsWith('//')) return rest
  if (!URL.canParse(url)) return ''
  const { host, pathname, search } = new URL(url)
  if (host || search) return ''
  return decoded(pathname).replace(/^\/(?=[a-z]:)/iu, '')
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return ''
  }
}

/** Not the URL of a server with a slip in it: a file of that name would be made, and its name shown. */
function isPath(file: string): boolean {
  return file === ':memory:' || (file !== '' && !/\/\/|:[^/\\]*@|[?#\0]/u.test(file))
}
