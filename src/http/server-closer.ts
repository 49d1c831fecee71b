import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

const IDLE_SWEEP_MS = 25

const closerOf = new WeakMap<Socket, ServerCloser>()

/**
 * Has an answer that takes its time end when its server closes.
 *
 * @param end called at most once, at once if it is closing
 * @returns what takes it back
 */
export function whenServerCloses(socket: Socket, end: () => void): () => void {
  return closerOf.get(socket)?.onClosing(end) ?? (() => undefined)
}

/** Closes a server gracefully. */
export class ServerCloser {
  readonly #server: Server
  /** Connections that have not sent a request yet. Node does not take them for idle. */
  readonly #silent = new Set<Socket>()
  /** Ends answers that would go on. */
  readonly #ends = new Set<() => void>()
  #closing: Promise<void> | undefined

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#silent.add(socket)
      closerOf.set(socket, this)
      socket.once('close', () => this.#silent.delete(socket))
    })
    server.on('request', ({ socket }: IncomingMessage) => void this.#silent.delete(socket))
  }

  /**
   * Stops taking connections, lets running requests finish, and cuts off what is still at work after
   * `graceMs`. A second call waits for the first.
   */
  close(graceMs: number): Promise<void> {
    this.#closing ??= new Promise((resolve, reject) => {
      const server = this.#server
      // A connection that has just finished its request is kept alive, and would keep the server open.
      const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
      server.close(error => {
        clearInterval(sweep)
        clearTimeout(cutOff)
        if (error) reject(error)
        else resolve()
      })
      for (const socket of this.#silent) socket.destroy()
      for (const end of this.#ends) end()
    })
    return this.#closing
  }

  onClosing(end: () => void): () => void {
    if (this.#closing) end()
    else this.#ends.add(end)
    return () => void this.#ends.delete(end)
  }
}
