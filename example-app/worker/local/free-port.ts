import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * The port itself, if nobody listens there; for 0 a free one. The Worker is told of its address before it
 * starts.
 *
 * @throws Error with a `code`
 */
export async function freePort(host: string, port: number): Promise<number> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}
