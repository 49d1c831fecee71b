import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenServerCloses } from '../../http'
import type { WatchedState } from '../../run'
import { unref } from '../../state'
import type { WatchEvents } from './watch-events'

/** More tabs than a person has open for one mail. */
const MAX_STREAMS_OF_TOKEN = 5
const FIRST_LOOK_MS = 250
/** What a browser waits for before it opens a stream anew. */
const RETRY_MS = 2000

/** What a stream tells, and to whom. */
interface WatchStream {
  /** What it is watched by. */
  readonly watch: string
  readonly raw: ServerResponse
  readonly first: WatchedState
  look(): Promise<WatchedState>
  /** Told what made it end before its time. */
  failed(error: unknown): void
}

/** The open streams of an endpoint. */
export class WatchStreams {
  readonly #limits: WatchEvents
  readonly #countOf = new Map<string, number>()
  #count = 0

  constructor(limits: WatchEvents) {
    this.#limits = limits
  }

  /** Whether one more may be opened. */
  hasRoom(watch: string): boolean {
    const ofToken = this.#countOf.get(watch) ?? 0
    return this.#count < this.#limits.maxStreams && ofToken < MAX_STREAMS_OF_TOKEN
  }

  /**
   * Tells each new state until one is final, the client has gone, the server closes or it has taken
   * too long. Whichever comes first ends the answer.
   */
  async run(stream: WatchStream): Promise<void> {
    const { watch, raw } = stream
    const ending = new AbortController()
    const end = () => ending.abort()
    const stayOpen = whenServerCloses(raw.req.socket, end)
    const timer = unref(setTimeout(end, this.#limits.lifetimeMs))
    const beats = unref(setInterval(() => raw.write(':\n\n'), this.#limits.heartbeatMs))
    raw.once('close', end)
    // Whoever has gone before they were answered does not go again.
    if (raw.destroyed) end()
    this.#add(watch, 1)
    try {
      await this.#tell(stream, ending.signal)
    } catch (error) {
      if (!ending.signal.aborted) stream.failed(error)
    } finally {
      this.#add(watch, -1)
      clearTimeout(timer)
      clearInterval(beats)
      stayOpen()
      raw.end()
    }
  }

  async #tell({ raw, first, look }: WatchStream, signal: AbortSignal): Promise<void> {
    let told = ''
    const tell = (seen: WatchedState) => {
      const text = eventOf(seen)
      if (text !== told) raw.write(text)
      told = text
    }
    raw.write(`retry: ${RETRY_MS}\n\n`)
    tell(first)
    let seen = first
    let pauseMs = Math.min(FIRST_LOOK_MS, this.#limits.pollMs)
    while (!isFinal(seen) && !signal.aborted) {
      await sleep(pauseMs, undefined, { signal, ref: false })
      seen = await look()
      tell(seen)
      pauseMs = Math.min(1.5 * pauseMs, this.#limits.pollMs)
    }
  }

  #add(watch: string, change: 1 | -1): void {
    this.#count += change
    const ofToken = (this.#countOf.get(watch) ?? 0) + change
    if (ofToken > 0) this.#countOf.set(watch, ofToken)
    else this.#countOf.delete(watch)
  }
}

/** Whether nothing comes after it that the one who has sent a mail waits for. */
export function isFinal({ state }: WatchedState): boolean {
  return state !== 'waiting'
}

// The id comes back when a browser opens the stream anew: it may know the end already.
function eventOf(seen: WatchedState): string {
  return `event: state\nid: ${seen.state}\ndata: ${JSON.stringify({ watching: true, ...seen })}\n\n`
}
