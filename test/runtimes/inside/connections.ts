import type { PgPool } from '@atscript/moost-wf/db/postgres'
import pg from 'pg'

/**
 * A pool that keeps nothing: on Workers a connection belongs to the request that has opened it, and so does
 * whoever waits for one. What pools there is outside, as Hyperdrive is.
 */
export function connectionsTo(connectionString: string): PgPool {
  return {
    async connect() {
      const client = new pg.Client({ connectionString })
      await client.connect()
      return Object.assign(client, { release: () => void client.end().catch(() => {}) })
    },
    end: async () => {},
    on: () => undefined,
  }
}
