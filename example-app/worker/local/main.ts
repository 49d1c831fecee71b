import { isLoopback } from '../src/settings/loopback'
import { readSettings } from '../src/settings/read-settings'
import type { WorkerEnv } from '../src/worker-env'
import { build } from './build'
import { DEMO_ACCOUNTS } from './demo-accounts'
import { type LocalSettings, readLocalSettings } from './local-settings'
import { startLocal } from './start-local'

async function main(): Promise<void> {
  // The database holds hashes of passwords: none of the files is for others on this machine.
  process.umask(0o077)
  const settings = readLocalSettings(process.env)
  checkBindings(settings)
  await build(settings.outDir)
  const worker = await startLocal(settings)
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // That of miniflare ends the process before anything is stopped.
    process.removeAllListeners(signal)
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      console.log('Stopping.')
      worker.close().then(() => process.exit(0), fail)
    })
  }
  console.log(greeting(settings, worker.port))
}

/** What the Worker would answer every request with is better said here. */
function checkBindings({ bindings }: LocalSettings): void {
  const stands = { DB: {}, QUEUE: {} } as Pick<WorkerEnv, 'DB' | 'QUEUE'>
  readSettings({ PUBLIC_URL: 'http://localhost', ...bindings, ...stands })
}

function greeting({ host, dataDir, bindings }: LocalSettings, port: number): string {
  const url = bindings.PUBLIC_URL ?? `http://localhost:${port}`
  const isDemo = isLoopback(new URL(url).hostname)
  const where = bindings.PUBLIC_URL ? `, listening on ${host}:${port}` : ''
  const accounts = DEMO_ACCOUNTS.map(({ email, password }) => `  ${email} / ${password}`)
  return [
    `Ready at ${url}${where}, in workerd`,
    ...(isDemo ? ['', 'Sign in as one of these:', ...accounts] : []),
    '',
    bindings.MAIL_URL ? 'Mails go to MAIL_URL.' : `Mails are at ${url}/inbox`,
    `The database is in ${dataDir}`,
    'Stop with Ctrl-C.',
  ].join('\n')
}

const SENTENCES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'That port is in use; set PORT to another one.',
  EACCES: 'That port needs more rights; set PORT to one above 1023.',
  ENOTFOUND: 'There is no such HOST; set it to 127.0.0.1, or leave it out.',
  EADDRNOTAVAIL: 'This machine does not have that HOST; set it to 127.0.0.1, or leave it out.',
}

function fail(error: unknown): void {
  const { code = '', message } = error as NodeJS.ErrnoException
  console.error(SENTENCES[code] ?? message)
  process.exit(1)
}

main().catch(fail)
