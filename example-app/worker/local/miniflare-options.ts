import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MiniflareOptions } from 'miniflare'
import type { LocalSettings } from './local-settings'
import type { WranglerConfig } from './wrangler-config'

/** What `wrangler.jsonc` says, in the words of miniflare. */
export function miniflareOptions(
  config: WranglerConfig,
  { host, port, dataDir, bindings, outDir }: LocalSettings,
): MiniflareOptions {
  const built = (path: string) => join(outDir, path.replace(/^dist\//u, ''))
  const { assets, queues } = config
  return {
    name: config.name,
    // Where a request comes from would be asked for on the internet.
    cf: false,
    host,
    port,
    // By a name of its own: workerd finds nothing outside of where it was started.
    modules: [{ type: 'ESModule', path: 'worker.js', contents: readFileSync(built(config.main)) }],
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: [...config.compatibility_flags],
    bindings: { ...config.vars, ...bindings },
    d1Databases: Object.fromEntries(
      config.d1_databases.map(one => [one.binding, one.database_name]),
    ),
    d1Persist: join(dataDir, 'd1'),
    queueProducers: Object.fromEntries(queues.producers.map(one => [one.binding, one.queue])),
    queueConsumers: Object.fromEntries(
      queues.consumers.map(one => [
        one.queue,
        {
          maxBatchSize: one.max_batch_size,
          maxBatchTimeout: one.max_batch_timeout,
          maxRetries: one.max_retries,
        },
      ]),
    ),
    assets: {
      directory: built(assets.directory),
      routerConfig: {
        has_user_worker: true,
        static_routing: { user_worker: [...assets.run_worker_first] },
      },
      assetConfig: { not_found_handling: assets.not_found_handling },
    },
  }
}
