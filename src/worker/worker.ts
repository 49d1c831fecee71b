import type { Logger } from '@wooksjs/event-core'
import type { DueWork } from './due-work'

/** How a process does by itself what is due. */
export interface WfWorkerOptions {
  /** Milliseconds between two looks. @default 1000 */
  readonly everyMs?: number | undefined
  /** How many runs go on at once. @default 10 */
  readonly concurrency?: number | undefined
}

/** Looks again and again for what is due, and does it. It does not keep the process alive. */
export class Worker {
  readonly #work: DueWork
  readonly #logger: Logger
  #timer: ReturnType<typeof setTimeout> | undefined
  #looking: Promise<void> | undefined
  #isStopped = true

  constructor(work: DueWork, logger: Logger) {
    this.#work = work
    this.#logger = logger
  }

  /** Does nothing if it is at it already. */
  start({ everyMs = 1000, concurrency = 10 }: WfWorkerOptions): void {
    if (!this.#isStopped) return
    this.#isStopped = false
    const next = () => {
      this.#timer = setTimeout(() => void (this.#looking = look()), everyMs)
      ;(this.#timer as { unref?(): void }).unref?.()
    }
    const look = async () => {
      try {
        await this.#takeAll(concurrency)
      } catch (error) {
        this.#logger.error('What is due could not be looked for', error)
      }
      if (!this.#isStopped) next()
    }
    next()
  }

  /** Looks no more. What it has begun goes on. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  /** A process that died may have left more than go on at once: as long as they go on, the next follow. */
  async #takeAll(concurrency: number): Promise<void> {
    const { taken } = this.#work
    while (!this.#isStopped) {
      const free = concurrency - taken.size
      const begun = await this.#work.takeDue(free)
      if (begun.length === 0 || begun.length < free) return
      // What fails or is left alone may still be due, and would be found again at once.
      const outcome = await Promise.race(taken.values())
      if (outcome === 'failed' || outcome === 'left') return
    }
  }
}
