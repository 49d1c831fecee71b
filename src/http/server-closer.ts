import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

const IDLE_SWEEP_MS = 25

/** Closes a server gracefully. */
export class ServerCloser {
  readonly #server: Server
  /** Connections that have not sent a request yet. Node does not take them for idle. */
  readonly #silent = new Set<Socket>()
  #closing: Promise<void> | undefined

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#silent.add(socket)
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
    })
    return this.#closing
  }
}
