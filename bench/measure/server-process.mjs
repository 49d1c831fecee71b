import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Starts a server in a process of its own; it tells its port, and its CPU time when asked. With a folder
 * for `profiles` it leaves a CPU profile there, which the developer tools of Chromium open.
 */
export async function startServer(url, args = [], profiles) {
  const child = fork(fileURLToPath(url), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : [],
  })
  const [{ port }] = await once(child, 'message')
  return {
    port,
    async cpuMicros() {
      child.send('cpu')
      const [{ cpu }] = await once(child, 'message')
      return cpu
    },
    async stop() {
      child.send('stop')
      await once(child, 'exit')
    },
  }
}

/** The other side of it. */
export function serve(port) {
  process.on('message', message => {
    if (message === 'stop') process.exit()
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system })
  })
  process.on('disconnect', () => process.exit())
  process.send({ port })
}
