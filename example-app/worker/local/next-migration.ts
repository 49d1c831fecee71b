import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationText } from '@atscript/moost-wf/db'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import { DatabaseSync } from '@photostructure/sqlite'
import { Database } from '../src/database/database'
import { FOLDER } from './wrangler-config'

/** What is missing in the migrations of what the schemas say. */
export async function nextMigration(folder = join(FOLDER, 'migrations')): Promise<string> {
  const sqlite = new DatabaseSync(':memory:')
  for (const name of readdirSync(folder).toSorted()) {
    sqlite.exec(readFileSync(join(folder, name), 'utf8'))
  }
  const { space } = new Database(openSqlite(sqlite))
  const steps = await space.sync({ dryRun: true })
  await space.close()
  return migrationText(steps)
}
