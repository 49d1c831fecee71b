import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { TestEngine } from './databases'
import type { DurableServerOptions } from './durable-servers'
import { RunDatabase } from './run-stores'

/** A database that the servers of a suite share, and where their steps note what they do. */
export function useServerDatabase(engine: TestEngine) {
  let database: RunDatabase
  let folder: string
  let count = 0
  beforeAll(async () => {
    database = await RunDatabase.create(engine, true)
    folder = mkdtempSync(join(tmpdir(), 'moost-wf-servers-'))
  })
  afterAll(async () => {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    database: () => database,
    store: () => database.store({ clock: Date }),
    /** No runs, and no notes. */
    async fresh(leaseMs: number): Promise<DurableServerOptions> {
      await database.clear()
      const { url } = database.database
      return { engine: engine.name, url, notes: join(folder, `notes ${++count}`), leaseMs }
    },
  }
}
