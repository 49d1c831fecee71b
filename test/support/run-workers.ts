import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { TestEngine } from './databases'
import { root } from './project'
import { RunDatabase } from './run-stores'

/** What a worker tells. */
interface Told {
  /** Of the work that it has done, or failed to do. */
  readonly id?: number
  readonly ready?: true
  readonly stopped?: string
  readonly mail?: string
  readonly messageId?: string
  readonly to?: string
  readonly done?: unknown
  readonly failed?: string
}

/** A process of its own with durable runs on a shared database. */
export class RunWorker {
  readonly #child: ChildProcess
  #works = 0
  #inHand = 0
  /** Tokens that it has sent, by its own account. */
  readonly mails: string[] = []
  /** The ids of what it has sent, in the same order. */
  readonly messageIds: (string | undefined)[] = []

  /** @param onMail is told of each mail that is sent, and to whom, where the script says so */
  constructor(
    script: string,
    given: readonly string[],
    onMail: (token: string, to: string) => void = () => {},
  ) {
    this.#child = fork(join(root, 'test/support', script), given)
    this.#child.on('message', ({ mail, messageId, to }: Told) => {
      if (!mail) return
      this.mails.push(mail)
      this.messageIds.push(messageId)
      if (to !== undefined) onMail(mail, to)
    })
  }

  /** Whether it was killed, or has ended by itself. */
  get isDead(): boolean {
    return this.#child.killed || this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Whether it was told to do something, and has not done it yet. */
  get isAtWork(): boolean {
    return this.#inHand > 0
  }

  /** Resolves when it can work. */
  ready(): Promise<unknown> {
    return this.#heard(({ ready }) => ready !== undefined)
  }

  /** Starts some work; resolves when it is done. */
  async run(work: string, task: object = {}): Promise<unknown> {
    const id = ++this.#works
    const answer = this.#heard(told => told.id === id)
    this.#child.send({ id, work, ...task })
    this.#inHand++
    const { done, failed } = await answer.finally(() => this.#inHand--)
    if (failed) throw new Error(failed)
    return done
  }

  /** Starts some work, and ends the process as a power failure would, where it is told to stop. */
  async killAt(stopAt: string, work: string, task: object): Promise<void> {
    const stopped = this.#heard(told => told.stopped === stopAt)
    this.#child.send({ id: ++this.#works, work, stopAt, ...task })
    await stopped
    await this.kill()
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
  }

  #heard(isMeant: (told: Told) => boolean): Promise<Told> {
    const child = this.#child
    return new Promise((resolve, reject) => {
      const listen = (told: Told) => {
        if (!isMeant(told)) return
        child.off('message', listen)
        child.off('exit', fail)
        resolve(told)
      }
      const fail = () => reject(new Error('The worker has ended before it had answered.'))
      child.on('message', listen)
      child.once('exit', fail)
    })
  }
}

/**
 * A database with durable runs, for processes that the tests of a suite start.
 *
 * @param outbox whether their messages are kept until they are delivered
 */
export function useRunWorkers(engine: TestEngine, { outbox = false } = {}) {
  const secret = randomBytes(32).toString('base64url')
  const workers: RunWorker[] = []
  let database: RunDatabase
  let folder: string
  beforeAll(async () => {
    database = await RunDatabase.create(engine, true)
    folder = mkdtempSync(join(tmpdir(), 'moost-wf-runs-'))
  })
  afterAll(async () => {
    for (const worker of workers) await worker.kill()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const log = () => join(folder, 'steps.log')
  return {
    secret,
    database: () => database,
    start: async () => {
      const given = [engine.name, database.database.url, secret, log()]
      const worker = new RunWorker('run-worker.mjs', outbox ? [...given, 'outbox'] : given)
      workers.push(worker)
      await worker.ready()
      return worker
    },
    begun: (flowId: string) => begunSteps(log(), flowId),
  }
}

/** How often each step of a run was begun. A file keeps what a killed process has written. */
export function begunSteps(log: string, flowId: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const line of readFileSync(log, { encoding: 'utf8', flag: 'a+' }).split('\n')) {
    const [of = '', step = ''] = line.split(' ')
    if (of === flowId) counts[step] = (counts[step] ?? 0) + 1
  }
  return counts
}
