import type { Logger } from '@wooksjs/event-core'
import { WfError } from '../errors'
import type { WfRunStore } from '../state'

const AN_HOUR_MS = 60 * 60_000
const A_MINUTE_MS = 60_000
/** A process must not be busy with it: what is left is for the next minute, or for another process. */
const MOST_AT_ONCE = 10_000

/** Removes runs that have ended long enough ago, now and then. */
export class Retention {
  readonly #runs: WfRunStore
  readonly #retentionMs: number
  readonly #logger: Logger
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = true

  /** @throws WfError `WF_CONFIG` */
  constructor(runs: WfRunStore, retentionMs: number, logger: Logger) {
    if (!(retentionMs > 0)) {
      throw new WfError('WF_CONFIG', 'retentionMs is a positive number of milliseconds.')
    }
    this.#runs = runs
    this.#retentionMs = retentionMs
    this.#logger = logger
  }

  start(): void {
    if (this.#retentionMs === Infinity || !this.#isStopped) return
    this.#isStopped = false
    this.#next(AN_HOUR_MS)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #next(ms: number): void {
    // Not all processes at once.
    this.#timer = setTimeout(() => void this.#remove(), ms * (0.9 + 0.2 * Math.random()))
    ;(this.#timer as { unref?(): void }).unref?.()
  }

  async #remove(): Promise<void> {
    const endedUntil = Math.floor(this.#runs.clock.now() - this.#retentionMs)
    let isMore = false
    try {
      const removed = await this.#runs.removeEnded({ endedUntil, limit: MOST_AT_ONCE })
      isMore = removed >= MOST_AT_ONCE
    } catch (error) {
      this.#logger.error('Runs that have ended could not be removed', error)
    }
    if (!this.#isStopped) this.#next(isMore ? A_MINUTE_MS : AN_HOUR_MS)
  }
}
