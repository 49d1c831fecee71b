import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

const IDLE_SWEEP_MS = 25

/** What looks after the connections of a server. */
interface Closer {
  /** @returns what takes it back */
  onClosing?(end: () => void): () => void
  waitFor(work: Promise<unknown>): void
}

const closerOf = new WeakMap<Socket, Closer>()

/** Has a closer look after a connection. */
export function lookAfter(socket: Socket, closer: Closer): void {
  closerOf.set(socket, closer)
}

/**
 * Has an answer that takes its time end when its server closes.
 *
 * @param end called at most once, at once if it is closing
 * @returns what takes it back
 */
export function whenServerCloses(socket: Socket, end: () => void): () => void {
  return closerOf.get(socket)?.onClosing?.(end) ?? (() => undefined)
}

/** Has a server that closes wait for what goes on behind an answer, for as long as it waits at all. */
export function closeAfter(socket: Socket, work: Promise<unknown>): void {
  closerOf.get(socket)?.waitFor(work)
}

/** Closes a server gracefully. */
export class ServerCloser implements Closer {
  readonly #server: Server
  /** Connections that have not sent a request yet. Node does not take them for idle. */
  readonly #silent = new Set<Socket>()
  /** Ends answers that would go on. */
  readonly #ends = new Set<() => void>()
  readonly #works = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#silent.add(socket)
      lookAfter(socket, this)
      socket.once('close', () => this.#silent.delete(socket))
    })
    server.on('request', ({ socket }: IncomingMessage) => void this.#silent.delete(socket))
  }

  /**
   * Stops taking connections, lets running requests and what goes on behind them finish, and cuts off what
   * is still at work after `graceMs`. A second call waits for the first.
   */
  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs)
    return this.#closing
  }

  async #close(graceMs: number): Promise<void> {
    const grace = new AbortController()
    const cutOff = setTimeout(() => grace.abort(), graceMs)
    const isOver = new Promise(resolve => grace.signal.addEventListener('abort', resolve))
    try {
      await this.#closeConnections(grace.signal)
      await Promise.race([Promise.allSettled(this.#works), isOver])
    } finally {
      clearTimeout(cutOff)
    }
  }

  #closeConnections(grace: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const server = this.#server
      // A connection that has just finished its request is kept alive, and would keep the server open.
      const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
      grace.addEventListener('abort', () => server.closeAllConnections())
      server.close(error => {
        clearInterval(sweep)
        if (error) reject(error)
        else resolve()
      })
      for (const socket of this.#silent) socket.destroy()
      for (const end of this.#ends) end()
    })
  }

  waitFor(work: Promise<unknown>): void {
    const forget = () => void this.#works.delete(work)
    this.#works.add(work)
    work.then(forget, forget)
  }

  onClosing(end: () => void): () => void {
    if (this.#closing) end()
    else this.#ends.add(end)
    return () => void this.#ends.delete(end)
  }
}
