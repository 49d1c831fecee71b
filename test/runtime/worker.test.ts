import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { EncapsulatedStateStrategy } from '@atscript/moost-wf'
import { openD1 } from '@atscript/moost-wf/db/d1'
import { build } from 'esbuild'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WfEventRow, WfLinkRow, WfRunRow } from '../fixtures/schemas/wf-run-rows.as'
import { TempProject } from '../support/temp-project'
import { buildWorker, runInWorkerd, writeWorker } from '../support/worker-bundle'

interface Scheduled {
  scheduled(event: { readonly cron: string }): Promise<object>
}

const MOST_KB = 660
const STARTS = 5

const print = (line: string) => process.stdout.write(`${line}\n`)
const inKb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`

const project = new TempProject()
beforeAll(() => writeWorker(project), 180_000)
afterAll(() => project.remove())

const WITH_DATABASE = () => ({
  d1Databases: { DB: 'coffee' },
  bindings: { WF_SECRET: randomBytes(32).toString('base64url') },
  compatibilityFlags: ['nodejs_compat'],
})

describe.each(['rolldown', 'esbuild'] as const)(
  'the Worker of docs/workers.md, built by %s,',
  bundler => {
    let code: string
    let miniflare: Miniflare

    beforeAll(async () => {
      code = buildWorker(project, bundler)
      miniflare = runInWorkerd(code, WITH_DATABASE())
      const space = openD1(await miniflare.getD1Database('DB'))
      for (const type of [WfRunRow, WfEventRow, WfLinkRow]) space.table(type)
      await space.sync()
    }, 60_000)
    afterAll(() => miniflare.dispose())

    async function post(body: object) {
      const answer = await miniflare.dispatchFetch('http://coffee.test/api/wf', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: (await answer.json()) as { wfs: string } }
    }

    it('keeps an order in D1, asks its condition, and takes each token once', async () => {
      const asked = await post({ wfid: 'coffee/order' })
      expect(asked.body).toMatchObject({
        inputRequired: { payload: { question: 'Which coffee would you like?' } },
        wfs: expect.stringMatching(/^run\./u),
      })
      const chosen = await post({
        wfs: asked.body.wfs,
        input: { coffee: 'flat white', large: true },
      })
      const { wfs } = chosen.body
      expect(await post({ wfs, input: { name: 'Ada' } })).toMatchObject({
        status: 200,
        body: { finished: true, data: 'One large flat white for Ada' },
      })
      expect(await post({ wfs, input: { name: 'Ada' } })).toMatchObject({
        status: 410,
        body: { error: { code: 'WF_USED' } },
      })
    })

    it('keeps a question of taste in the token', async () => {
      const { wfs } = (await post({ wfid: 'coffee/taste' })).body
      expect(wfs).toMatch(/^token\.ey/u)
      const answered = await post({ wfs, input: { coffee: 'espresso' } })
      expect(answered).toMatchObject({ status: 200, body: { finished: true } })
      const forged = await post({ wfs: `${wfs.slice(0, -2)}AA`, input: {} })
      expect(forged).toMatchObject({ status: 410 })
    })

    it('finds a route by its parameter', async () => {
      const answer = await miniflare.dispatchFetch('http://coffee.test/api/menu/flat%20white')
      expect(await answer.json()).toEqual({ coffee: 'flat white', price: 5 })
    })

    it('refuses what no endpoint takes', async () => {
      expect(await post({ wfid: 'coffee/none' })).toMatchObject({ status: 404 })
      const broken = await miniflare.dispatchFetch('http://coffee.test/api/wf', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{',
      })
      expect(broken.status).toBe(400)
    })

    it('reads a body that is compressed, or sent in pieces', async () => {
      const sent = JSON.stringify({ wfid: 'coffee/taste', input: { coffee: 'ristretto' } })
      const pieces = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const character of sent) controller.enqueue(new TextEncoder().encode(character))
          controller.close()
        },
      })
      for (const [body, encoding] of [
        [gzipSync(sent), 'gzip'],
        [pieces, 'identity'],
      ] as const) {
        const answer = await miniflare.dispatchFetch('http://coffee.test/api/wf', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-encoding': encoding },
          body,
          duplex: 'half',
        })
        expect(await answer.json()).toMatchObject({ finished: true })
      }
    })

    it('looks at what is due when its cron trigger fires', async () => {
      const worker = (await miniflare.getWorker()) as unknown as Scheduled
      expect(await worker.scheduled({ cron: '* * * * *' })).toMatchObject({ outcome: 'ok' })
    })

    it(`takes less than ${MOST_KB} KB, and says how long it takes to start`, async () => {
      const [ours, empty] = await startMs(code, 'export default { fetch: () => new Response() }')
      print(
        `${bundler}: ${inKb(code.length)} minified, ${inKb(gzipSync(code).length)} compressed; ` +
          `from nothing to its first answer ${ours} ms, an empty Worker ${empty} ms`,
      )
      expect(code.length).toBeLessThan(MOST_KB * 1000)
    }, 120_000)
  },
)

/** The median of several, each in a workerd of its own, one in turn with the other. */
async function startMs(...codes: readonly string[]): Promise<readonly number[]> {
  const times = codes.map((): number[] => [])
  for (let n = 0; n < STARTS; n++) {
    for (const [at, code] of codes.entries()) {
      const begun = performance.now()
      const miniflare = runInWorkerd(code, WITH_DATABASE())
      await (await miniflare.dispatchFetch('http://coffee.test/')).text()
      times[at]!.push(performance.now() - begun)
      await miniflare.dispose()
    }
  }
  return times.map(each => Math.round(each.toSorted((a, b) => a - b)[STARTS >> 1]!))
}

describe('forms, states, a ledger, pages and the admin API in a Worker', () => {
  let miniflare: Miniflare

  beforeAll(async () => {
    const code = buildWorker(project, 'rolldown', 'orders-worker.ts')
    miniflare = runInWorkerd(code, WITH_DATABASE())
  }, 60_000)
  afterAll(() => miniflare.dispose())

  const get = (path: string, accept = '*/*') =>
    miniflare.dispatchFetch(`http://coffee.test${path}`, { headers: { accept } })
  const post = async (body: object) => {
    const answer = await miniflare.dispatchFetch('http://coffee.test/api/wf', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { wfs: string }
  }

  it('make and extend their tables through the binding', async () => {
    const sync = async () => ((await (await get('/api/sync')).json()) as { done: number }).done
    expect(await sync()).toBeGreaterThan(2)
    expect(await sync()).toBe(0)
  })

  it('go as they do on Node', async () => {
    const wrong = { coffee: 'tea', name: 'Ada' }
    expect(await post({ wfid: 'orders/coffee', input: wrong })).toMatchObject({
      inputRequired: { context: { errors: { coffee: expect.any(String) } } },
    })
    const input = { coffee: 'espresso', name: 'Ada' }
    const { wfs } = await post({ wfid: 'orders/coffee', input })
    const listed = await (await get('/admin/flows')).json()
    expect(listed).toMatchObject({ rows: expect.arrayContaining([expect.anything()]) })
    const page = await get(`/api/wf?wfs=${wfs}`, 'text/html')
    expect(await page.text()).toContain('<title>Continue here</title>')
    const confirmed = { wfs, input: { toGo: true }, requestId: 'request-0123456789' }
    const finished = { finished: true, message: 'One espresso for Ada, to go.' }
    expect(await post(confirmed)).toMatchObject(finished)
    // The ledger knows what it was answered.
    expect(await post(confirmed)).toMatchObject(finished)
  })
})

describe('tokens in a Worker without anything of Node', () => {
  const WORKER = `
    import { EncapsulatedStateStrategy } from '@atscript/moost-wf/strategies'

    export default {
      async fetch(request, { WF_SECRET }) {
        const strategy = new EncapsulatedStateStrategy({ secret: WF_SECRET })
        const { token, state } = await request.json()
        const opened = token && (await strategy.retrieve(token))
        return Response.json({
          hasNode: typeof process !== 'undefined',
          opened: opened ?? null,
          made: state && (await strategy.persist(state)),
        })
      }
    }`
  const secret = randomBytes(32).toString('base64url')
  const state = { schemaId: 'coffee/taste', context: { name: 'Zoë' }, indexes: [0] }
  let miniflare: Miniflare

  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: WORKER, resolveDir: project.folder },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module'],
      conditions: ['workerd', 'worker'],
    })
    miniflare = runInWorkerd(outputFiles[0]!.text, { bindings: { WF_SECRET: secret } })
  })
  afterAll(() => miniflare.dispose())

  const ask = async (body: object) => {
    const answer = await miniflare.dispatchFetch('http://coffee.test/', {
      method: 'POST',
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { hasNode: boolean; opened: object | null; made: string }
  }

  it('can be opened by Node, and those of Node there', async () => {
    const onNode = new EncapsulatedStateStrategy({ secret })
    const { made, hasNode } = await ask({ state })
    expect(hasNode).toBe(false)
    expect(await onNode.retrieve(made)).toMatchObject(state)
    const { opened } = await ask({ token: await onNode.persist(state) })
    expect(opened).toMatchObject(state)
    expect(await ask({ token: `${made.slice(0, -2)}AA` })).toMatchObject({ opened: null })
  })
})
