import { createRequire } from 'node:module'
import { bundleFor, modulesOf } from './bundle.mjs'
import { SUITES } from './suites.mjs'

const { version: VERSION } = createRequire(import.meta.url)('workerd/package.json')

/** Longer than any suite takes: what hangs is left, and said. */
const PATIENCE_MS = 300_000

/** Each suite has one of its own. */
const DATABASES = SUITES.length

/** workerd, the runtime of Workers, on this machine. */
export class WorkerRuntime {
  #miniflare

  /** @param options those of `bundleFor`, and `sharedUrl` of a database */
  constructor(options) {
    this.#miniflare = start(options)
    this.#miniflare.catch(() => {})
  }

  /** As of `ProcessRuntime`. Each suite is a request, and what it opens ends with that. */
  async run({ suites, ...job }, report) {
    const miniflare = await this.#miniflare
    report({ version: VERSION })
    for (const part of suites.length === 0 ? [[]] : suites.map(suite => [suite])) {
      const body = JSON.stringify({ ...job, suites: part })
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const request = { method: 'POST', body, signal }
      const answer = await miniflare.dispatchFetch('http://localhost/', request)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`It answered with ${answer.status}.\n${text}`)
      for (const said of JSON.parse(text)) report(said)
    }
  }

  async close() {
    await this.#miniflare.then(
      miniflare => miniflare.dispose(),
      () => {},
    )
  }
}

async function start(options) {
  const entry = await bundleFor('worker', options)
  const { Miniflare } = await import('miniflare')
  const miniflare = new Miniflare({
    modules: modulesOf(entry),
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['nodejs_compat'],
    d1Databases: Array.from({ length: DATABASES }, (_, at) => `DB${at}`),
    bindings: { SHARED_URL: options.sharedUrl },
  })
  try {
    await miniflare.ready
    return miniflare
  } catch (error) {
    // What it has opened would keep this process alive.
    await miniflare.dispose().catch(() => {})
    throw error
  }
}
