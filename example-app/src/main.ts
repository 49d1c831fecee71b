import { startApp } from './app'
import { greeting } from './greeting'
import { buildPages } from './pages/build-pages'
import { sentenceOf } from './settings/problems'
import { readSettings } from './settings/settings'

async function main(): Promise<void> {
  // The database holds hashes of passwords: none of the files is for others on this machine.
  process.umask(0o077)
  const settings = readSettings(process.env)
  await buildPages()
  const app = await startApp(settings)
  const stop = () => {
    console.log('Stopping.')
    app.close().then(() => process.exit(0), fail)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  // Without the supervisor nobody could stop this process by Ctrl-C.
  process.once('disconnect', stop)
  console.log(greeting(settings, app))
  // If it has to start us again, then where pages and links expect us.
  process.send?.({ port: app.port })
}

function fail(error: unknown): void {
  console.error(sentenceOf(error))
  process.exit(1)
}

main().catch(fail)
