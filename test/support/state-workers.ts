import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { DbTableType } from '@atscript/moost-wf/db'
import { AsWfStore } from '@atscript/moost-wf/store'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { TestDatabase, TestEngine } from './databases'
import { root } from './project'
// @ts-expect-error -- plain JavaScript, which the worker processes load as well
import { stateTableType } from './state-table-type.mjs'

/** A process of its own, with a store on the same database. */
export interface StateWorker {
  /** Starts some work; resolves when the worker has done it. */
  run(work: string, task?: object): Promise<unknown>
  /** As a power failure would. */
  kill(): Promise<void>
}

export async function startStateWorker(engine: string, url: string): Promise<StateWorker> {
  const child = fork(join(root, 'test/support/state-worker.mjs'), [engine, url])
  onTestFinished(() => void child.kill('SIGKILL'))
  await heard(child)
  return {
    run: async (work, task = {}) => {
      const answer = heard(child)
      child.send({ work, ...task })
      return ((await answer) as { done: unknown }).done
    },
    kill: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

function heard(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', () => reject(new Error('The worker ended before it had answered.')))
  })
}

/** A database with the workers' table, for the tests of the suite that this is called in. */
export function useStateDatabase({ create }: TestEngine) {
  let database: TestDatabase
  let space: ReturnType<TestDatabase['open']>
  beforeAll(async () => {
    database = await create()
    space = database.open()
    space.table(stateTableType as DbTableType)
    await space.sync()
  })
  afterAll(async () => {
    await space.close()
    await database.drop()
  })
  return {
    url: () => database.url,
    table: () => space.table(stateTableType as DbTableType),
    store: () => new AsWfStore({ table: space.table(stateTableType as DbTableType) }),
  }
}
