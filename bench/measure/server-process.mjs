import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts a server in a process of its own; it tells its port, and its CPU time when asked. */
export async function startServer(url) {
  const child = fork(fileURLToPath(url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ port }] = await once(child, 'message')
  return {
    port,
    async cpuMicros() {
      child.send('cpu')
      const [{ cpu }] = await once(child, 'message')
      return cpu
    },
    stop: () => child.kill(),
  }
}

/** The other side of it. */
export function serve(port) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system })
  })
  process.send({ port })
}
