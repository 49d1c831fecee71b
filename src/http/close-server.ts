import type { Server } from 'node:http'

const IDLE_SWEEP_MS = 25

/**
 * Stops taking connections, lets the running requests finish, and cuts off what is still open after
 * `graceMs`.
 */
export function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // A connection that has just finished its request is kept alive, and would keep the server open.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
    const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(error => {
      clearInterval(sweep)
      clearTimeout(cutOff)
      if (error) reject(error)
      else resolve()
    })
  })
}
