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
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.log('Stopping.')
      app.close().then(() => process.exit(0), fail)
    })
  }
  console.log(greeting(settings, app))
}

function fail(error: unknown): void {
  console.error(sentenceOf(error))
  process.exit(1)
}

main().catch(fail)
