import type { BoundStatement, SqlResult } from '../db-engine'
import type { SqliteConnection } from './sqlite-connection'

/** Runs a statement at once. */
export type Execute = (bound: BoundStatement) => SqlResult

/** Statements of one commit, which wait for nothing. */
export type Work = (execute: Execute) => unknown

interface Waiting {
  readonly work: Work
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** How many share a transaction at most: other processes wait for the file meanwhile. */
const MOST_AT_ONCE = 64

const SAVE = 'savepoint one'
const KEEP = 'release one'
const UNDO = 'rollback to one'

/** Statements that come with each shared transaction. */
export const SAVEPOINTS: readonly string[] = [SAVE, KEEP, UNDO]

/**
 * Lets commits that come at the same time wait for the disk together. Each is whole by itself: what one of
 * them fails of is undone, and the others stay. Nobody is told anything before the disk has all of it.
 */
export class SharedCommits {
  readonly #waiting: Waiting[] = []
  readonly #transact: (work: () => void) => Promise<void>
  readonly #connection: SqliteConnection
  #isPlanned = false

  /** @param transact runs what it is given in a transaction of its own; what that throws undoes it */
  constructor(connection: SqliteConnection, transact: (work: () => void) => Promise<void>) {
    this.#connection = connection
    this.#transact = transact
  }

  add<R>(work: (execute: Execute) => R): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Waiting['resolve'], reject })
      if (this.#isPlanned) return
      this.#isPlanned = true
      // Whoever goes on in this turn of the loop comes along.
      setImmediate(() => void this.#carryOut())
    })
  }

  async #carryOut(): Promise<void> {
    while (this.#waiting.length > 0) {
      const settled: (() => void)[] = []
      let group: readonly Waiting[] = []
      try {
        await this.#transact(() => {
          // Not before its turn: more have come while it waited.
          group = this.#waiting.splice(0, MOST_AT_ONCE)
          for (const one of group) settled.push(this.#attempt(one, group.length === 1))
        })
      } catch (error) {
        // Those that have failed by themselves included: they are told what has undone all.
        const undone = group.length > 0 ? group : this.#waiting.splice(0)
        for (const { reject } of undone) reject(error)
        continue
      }
      for (const settle of settled) settle()
    }
    this.#isPlanned = false
  }

  /** @returns what tells whoever waits for it, once the transaction is over */
  #attempt({ work, resolve, reject }: Waiting, isAlone: boolean): () => void {
    const run = (sql: string) => this.#connection.executeAtOnce(sql, [])
    const execute: Execute = ({ sql, values }) => this.#connection.executeAtOnce(sql, values)
    if (isAlone) {
      const result = work(execute)
      return () => resolve(result)
    }
    run(SAVE)
    try {
      const result = work(execute)
      run(KEEP)
      return () => resolve(result)
    } catch (error) {
      try {
        run(UNDO)
        run(KEEP)
      } catch {
        // SQLite has undone the whole transaction, the others' parts too.
        throw error
      }
      return () => reject(error)
    }
  }
}
