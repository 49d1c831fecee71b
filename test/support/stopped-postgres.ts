import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from './project'

/** A PostgreSQL server of a test's own. */
export interface StoppablePostgres {
  readonly url: string
  /** As a crash would: all connections break, and nobody knows what became of a commit. */
  stop(): Promise<void>
  start(): Promise<void>
  end(): Promise<void>
}

export async function startStoppablePostgres(): Promise<StoppablePostgres> {
  const child = fork(join(root, 'test/support/stoppable-postgres.mjs'))
  const gone = once(child, 'exit')
  const failed = gone.then(() => Promise.reject(new Error('PostgreSQL has ended.')))
  failed.catch(() => {})
  const heard = async () => (await Promise.race([once(child, 'message'), failed])) as unknown[]
  const [{ url }] = (await heard()) as [{ url: string }]
  const tell = async (work: 'stop' | 'start') => {
    child.send(work)
    await heard()
  }
  return {
    url,
    stop: () => tell('stop'),
    start: () => tell('start'),
    end: async () => {
      child.disconnect()
      await gone
    },
  }
}
