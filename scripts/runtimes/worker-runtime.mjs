import { createRequire } from 'node:module'
import { bundleFor, modulesOf } from './bundle.mjs'
import { crowdOf } from './crowd.mjs'
import { exampleAsWorker, exchangesWith } from './example.mjs'
import { SUITES } from './suites.mjs'

const { version: VERSION } = createRequire(import.meta.url)('workerd/package.json')

/** Longer than any suite takes: what hangs is left, and said. */
const PATIENCE_MS = 300_000

/** Each suite has one of its own. */
const DATABASES = Array.from(SUITES, (_, at) => `DB${at}`)
const WITH_NODE = { compatibilityFlags: ['nodejs_compat'] }

/** workerd, the runtime of Workers, on this machine. */
export class WorkerRuntime {
  #miniflare

  /**
   * @param kind `worker`, or `bare`, which has nothing of Node
   * @param options those of `bundleFor`, and `sharedUrl` of a database
   */
  constructor(kind, { sharedUrl, ...options }) {
    const whole = { ...WITH_NODE, d1Databases: DATABASES, bindings: { SHARED_URL: sharedUrl } }
    this.#miniflare = bundleFor(kind, options).then(entry =>
      start(entry, kind === 'bare' ? {} : whole),
    )
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

  /** Flows that wait for one another nowhere but in the database. */
  async crowd() {
    const miniflare = await this.#miniflare
    return crowdOf((path, request) => miniflare.dispatchFetch(`http://localhost${path}`, request))
  }

  async example() {
    const miniflare = await start(await exampleAsWorker(), WITH_NODE)
    try {
      const excuse = 'nobody does in a Worker, which gives its `http.fetch` to the runtime'
      return [
        { path: [`listens (skipped: ${excuse})`], state: 'excused' },
        ...(await exchangesWith('http://localhost', (...request) =>
          miniflare.dispatchFetch(...request),
        )),
      ]
    } finally {
      await miniflare.dispose()
    }
  }

  async close() {
    await this.#miniflare.then(
      miniflare => miniflare.dispose(),
      () => {},
    )
  }
}

async function start(entry, options) {
  const { Miniflare } = await import('miniflare')
  const modules = modulesOf(entry)
  const miniflare = new Miniflare({
    modules,
    compatibilityDate: '2026-04-01',
    // What keeps it from starting is on the one, what an application logs on the other.
    handleRuntimeStdio: (stdout, stderr) => {
      stdout.resume()
      stderr.pipe(process.stderr)
    },
    ...options,
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
