import { join } from 'node:path'
import type { D1Binding } from '@atscript/moost-wf/db/d1'
import { Miniflare } from 'miniflare'
import { applyMigrations } from './apply-migrations'
import { makeDemoAccounts } from './demo-accounts'
import { freePort } from './free-port'
import type { LocalSettings } from './local-settings'
import { miniflareOptions } from './miniflare-options'
import { FOLDER, readWranglerConfig } from './wrangler-config'

/** A minute, as the cron trigger has it. */
const CRON_MS = 60_000

interface Scheduled {
  scheduled(event: { readonly cron: string }): Promise<unknown>
}

/** The Worker, running on this machine. */
export interface LocalWorker {
  readonly port: number
  readonly miniflare: Miniflare
  /** Does what the cron trigger does. */
  tick(cron?: string): Promise<void>
  close(): Promise<void>
}

/** Starts workerd with all that `wrangler.jsonc` names, its database up to date. */
export async function startLocal(settings: LocalSettings): Promise<LocalWorker> {
  const config = readWranglerConfig()
  const port = await freePort(settings.host, settings.port)
  const bindings = { PUBLIC_URL: `http://localhost:${port}`, ...settings.bindings }
  const miniflare = new Miniflare(miniflareOptions(config, { ...settings, port, bindings }))
  await miniflare.ready
  const [database] = config.d1_databases
  const d1 = await miniflare.getD1Database(database!.binding)
  await applyMigrations(d1, join(FOLDER, database!.migrations_dir))
  await makeDemoAccounts(d1 as D1Binding)
  const tick = async (cron = config.triggers.crons[0]!) => {
    const worker = (await miniflare.getWorker()) as unknown as Scheduled
    await worker.scheduled({ cron })
  }
  const timer = setInterval(() => {
    tick().catch((error: unknown) => console.error('The cron trigger has failed:', error))
  }, CRON_MS)
  const close = async () => {
    clearInterval(timer)
    await miniflare.dispose()
  }
  return { port, miniflare, tick, close }
}
