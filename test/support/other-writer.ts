import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { root } from './project'

/**
 * A process that is in the middle of writing to an SQLite file. It has to be another one: two builds of
 * SQLite in one process do not see each other's locks, and the newer Node brings its own.
 */
export async function beginElsewhere(file: string, sql = '') {
  const child = fork(join(root, 'test/support/sqlite-writer.mjs'), [file, sql])
  const gone = once(child, 'exit')
  onTestFinished(async () => {
    if (child.kill('SIGKILL')) await gone
  })
  await Promise.race([once(child, 'message'), gone.then(() => expect.fail('It has not begun.'))])
  return {
    async commit(): Promise<void> {
      child.send('commit')
      await gone
    },
  }
}
