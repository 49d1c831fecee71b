import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy that can break connections as a network or a restarted server does. */
export interface CuttableProxy {
  readonly port: number
  /** Breaks all connections; new ones are refused until `mend`. */
  cut(): Promise<void>
  mend(): Promise<void>
  /**
   * Breaks all connections once the server has sent the next answer, which is lost, or a later one.
   *
   * @returns when that has happened
   */
  cutBeforeNextAnswer(passing?: number): Promise<void>
  close(): Promise<void>
}

export async function cuttableProxy(target: URL): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  let losesNext: { passing: number; lost(): void } | undefined
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const server = createServer(client => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', data => upstream.write(data))
    upstream.on('data', data => {
      if (losesNext && losesNext.passing-- === 0) {
        breakAll()
        losesNext.lost()
        losesNext = undefined
      } else client.write(data)
    })
  })
  const listen = (port: number) =>
    new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const unlisten = () => new Promise<void>(resolve => server.close(() => resolve()))
  await listen(0)
  const { port } = server.address() as { port: number }
  return {
    port,
    cut: async () => {
      const closed = unlisten()
      breakAll()
      await closed
    },
    mend: () => listen(port),
    cutBeforeNextAnswer: (passing = 0) =>
      new Promise<void>(lost => {
        losesNext = { passing, lost }
      }),
    close: async () => {
      breakAll()
      if (server.listening) await unlisten()
    },
  }
}
