import type { Logger } from '@wooksjs/event-core'
import { WfError } from '../errors'
import type { DueOutcome } from './due-source'
import type { DueWork } from './due-work'
import { BUDGET_MS } from './run-due'

/** How a process does by itself what is due. */
export interface WfWorkerOptions {
  /**
   * Milliseconds between two looks while nothing is known to become due: for how long what others have left
   * may wait.
   * @default 1000
   */
  readonly everyMs?: number | undefined
  /** How much is done at once. @default 10 */
  readonly concurrency?: number | undefined
  /** Milliseconds for which it goes on with one run, before others have their turn. @default 50 seconds */
  readonly budgetMs?: number | undefined
}

/** What a worker goes by. */
export interface WorkerSurroundings {
  /** Milliseconds since the epoch, much as the database has it. */
  now(): number
  /** Tells of what becomes due by what this process does. @returns what ends that */
  listen(told: (inMs: number) => void): () => void
  readonly logger: Logger
}

/** Processes that wake up for the same moment must not do so at once. */
const SPREAD = 0.1

/** How soon to look again behind what was begun: it is held by then, and what has become due meanwhile is not. */
const SOON_MS = 25

/** What has come to one of these may be due again, for another reason. */
const GOES_ON: readonly DueOutcome[] = ['done', 'waiting', 'handed on']

/** Does what is due as long as the application runs. It does not keep the process alive. */
export class Worker {
  readonly #work: DueWork
  readonly #surroundings: WorkerSurroundings
  #options = resolveWorkerOptions({})
  #timer: ReturnType<typeof setTimeout> | undefined
  /** By the clock of the process. */
  #wakesAt = 0
  #isNudged = false
  /** What was begun since the last look but those that come soon. */
  #tried = new Set<string>()
  #looking: Promise<void> | undefined
  #stopListening = () => {}
  #isStopped = true

  constructor(work: DueWork, surroundings: WorkerSurroundings) {
    this.#work = work
    this.#surroundings = surroundings
  }

  /**
   * Does nothing if it is at it already.
   *
   * @throws WfError `WF_CONFIG`
   */
  start(options: WfWorkerOptions): void {
    const resolved = resolveWorkerOptions(options)
    if (!this.#isStopped) return
    this.#options = resolved
    this.#isStopped = false
    this.#stopListening = this.#surroundings.listen(inMs => this.#nudge(inMs))
    this.#sleep(resolved.everyMs)
  }

  /** Looks no more. What it has begun goes on. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopListening()
    clearTimeout(this.#timer)
    await this.#looking
  }

  #nudge(inMs: number): void {
    if (this.#isStopped) return
    if (this.#looking) this.#isNudged ||= inMs <= this.#options.everyMs
    else if (performance.now() + inMs < this.#wakesAt) this.#sleep(inMs)
  }

  #sleep(ms: number): void {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    const spread = ms * SPREAD * Math.random()
    this.#wakesAt = performance.now() + ms + spread
    this.#timer = setTimeout(() => this.#wake(), ms + spread)
    ;(this.#timer as { unref?(): void }).unref?.()
  }

  #wake(): void {
    this.#looking = this.#look().then(ms => {
      this.#looking = undefined
      this.#sleep(this.#isNudged ? 0 : ms)
    })
  }

  /** @returns in how many milliseconds to look again */
  async #look(): Promise<number> {
    this.#isNudged = false
    try {
      const inMs = await this.#nextIn()
      if (inMs > 0) return inMs
      const hasBegun = await this.#takeAll()
      return (await this.#nextIn()) || this.#untilNextLook(hasBegun)
    } catch (error) {
      this.#surroundings.logger.error('What is due could not be looked for', error)
      return this.#options.everyMs
    }
  }

  /**
   * Something is due that was not taken. It may have become so just now, and must not wait for a whole look;
   * what comes to nothing must not be tried all the time.
   */
  #untilNextLook(hasBegun: boolean): number {
    const { everyMs } = this.#options
    const soonMs = Math.min(SOON_MS, everyMs)
    if (hasBegun) return soonMs
    this.#tried = new Set()
    return Math.max(everyMs - soonMs, soonMs)
  }

  /** @returns for how long there is nothing to do, as far as that is known; 0 if there is */
  async #nextIn(): Promise<number> {
    const { everyMs } = this.#options
    const moments = await Promise.all(this.#work.sources.map(source => source.nextAt(everyMs)))
    const waits = moments.map(at => (at === undefined ? everyMs : at - this.#surroundings.now()))
    // What comes later than was asked for comes by a clock that is behind that of the database.
    return Math.min(...waits.map(ms => (ms > everyMs ? 0 : Math.max(ms, 0))), everyMs)
  }

  /**
   * Does what is due, so much of it at once; what comes to nothing is not tried again now.
   *
   * @returns whether anything was begun
   */
  async #takeAll(): Promise<boolean> {
    const { concurrency, budgetMs } = this.#options
    const { taken } = this.#work
    const tried = this.#tried
    let hasBegun = false
    while (!this.#isStopped) {
      const free = concurrency - taken.size
      if (free <= 0) {
        await Promise.race(taken.values())
        continue
      }
      const begun = await this.#work.takeDue(free, budgetMs, tried)
      if (begun.length === 0) break
      for (const { key, outcome } of begun) {
        void outcome.then(became => GOES_ON.includes(became) && tried.delete(key))
        hasBegun = true
      }
    }
    return hasBegun
  }
}

/** @throws WfError `WF_CONFIG` */
function resolveWorkerOptions(options: WfWorkerOptions) {
  const { everyMs = 1000, concurrency = 10, budgetMs = BUDGET_MS } = options
  check(everyMs > 0 && Number.isFinite(everyMs), 'everyMs is a positive number of milliseconds')
  check(
    Number.isSafeInteger(concurrency) && concurrency > 0,
    'concurrency is a whole number from 1',
  )
  check(budgetMs > 0, 'budgetMs is a positive number of milliseconds')
  return Object.freeze({ everyMs, concurrency, budgetMs })
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new WfError('WF_CONFIG', `worker: ${rule}.`)
}
