import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '@atscript/moost-wf/db/sqlite'
import type { TestEngine } from '../../support/databases'

/** SQLite in a file, with whichever driver `openSqlite` finds. */
export const sqliteEngine: TestEngine = {
  name: 'SQLite',
  create: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'moost-wf-runtime-'))
    const url = join(folder, 'test.db')
    return {
      url,
      open: options => openSqlite(url, options),
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    }
  },
}
