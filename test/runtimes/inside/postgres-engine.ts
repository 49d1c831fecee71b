import { openPostgres } from '@atscript/moost-wf/db/postgres'
import pg from 'pg'
import type { TestEngine } from '../../support/databases'

/**
 * PostgreSQL over the package pg.
 *
 * @param load whether the package is loaded by the library, or handed over, which a bundle needs
 */
export function postgresEngine(server: string, load: 'by itself' | 'handed over'): TestEngine {
  const administer = async (sql: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  return {
    name: 'PostgreSQL',
    create: async () => {
      const name = `wf_test_${crypto.randomUUID().slice(0, 13).replace('-', '')}`
      await administer(`create database ${name}`)
      // It looks for deadlocks after a second, for which a test of them waits.
      await administer(`alter database ${name} set deadlock_timeout = '10ms'`).catch(() => {})
      const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
      const pool = () => new pg.Pool({ connectionString: url })
      return {
        url,
        open: options => openPostgres(load === 'by itself' ? url : pool(), options),
        drop: () => administer(`drop database ${name} with (force)`),
      }
    },
  }
}
