import { outletHttp, WfLedgerMemory } from '@atscript/moost-wf'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { openOtherSide, sendJson } from '../client/other-side'
import { describeInBrowser, openPage } from '../support/browser'
import { root } from '../support/project'
import { openShop, type Shop } from '../support/shop'

let bundled: Promise<string> | undefined

/** The client, as a page loads it: all of its names are in `wf`. */
async function bundleClient(): Promise<string> {
  const bundle = await rolldown({ cwd: root, input: 'src/client/index.ts', platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', name: 'wf' })
  return output[0].code
}

/** A page with one field, which shows what the client tells. */
const PAGE = `<!doctype html><title>Page</title><link rel="icon" href="data:,">
<input><output></output><script src="/client.js"></script>
<script>
  const field = document.querySelector('input')
  const output = document.querySelector('output')
  const told = []
  const show = () => { output.textContent = JSON.stringify({ ...client.state, told }) }
  const client = wf.createWfClient({
    path: '/wf', name: document.location.pathname.slice(1), remember: wf.withoutSecrets, keepSent: true,
  })
  addEventListener('hashchange', () => location.reload())
  field.oninput = () => client.update({ name: field.value })
  client.subscribe(() => queueMicrotask(show))
  client.start().then(({ data, response }) => {
    field.value = data.name ?? ''
    if (!response?.watch) return
    const options = { path: '/wf', watch: response.watch, forget: client.forget, firstMs: 50 }
    wf.watchWf(options, ({ state }) => { told.push(state); show() })
  })
</script>`

/** Opens the page for a workflow, at the origin of its endpoint. */
async function openClientPage(shop: Shop, address: string): Promise<Page> {
  const page = await openPage()
  bundled ??= bundleClient()
  const script = await bundled
  await page.route(`${shop.url}/**`, async route => {
    const path = new URL(route.request().url()).pathname
    if (path === '/wf') return route.continue()
    if (path === '/client.js')
      return route.fulfill({ contentType: 'text/javascript', body: script })
    return route.fulfill({ contentType: 'text/html', body: PAGE })
  })
  await page.goto(`${shop.url}${address}`)
  return page
}

const stateOf = async (page: Page) => JSON.parse((await page.textContent('output')) || '{}')

const NAME = {
  type: {
    kind: 'object',
    props: { name: { type: { kind: '', designType: 'string' }, metadata: {} } },
  },
  metadata: {},
}

describeInBrowser('a page with the client', () => {
  it('has what was typed again after a reload', async () => {
    const shop = await openShop()
    shop.onName = input => (input?.name ? undefined : outletHttp(NAME))
    const page = await openClientPage(shop, '/shop/order')
    await expect.poll(async () => (await stateOf(page)).form).toEqual(NAME)
    await page.locator('input').pressSequentially('Ada L.')
    await page.reload()
    await expect.poll(() => page.inputValue('input')).toBe('Ada L.')
    expect((await stateOf(page)).data).toEqual({ name: 'Ada L.' })
  })

  it('takes a token out of the fragment, at once and when it is open already', async () => {
    const shop = await openShop()
    const one = await shop.start('shop/order')
    const other = (await shop.send({ wfid: 'shop/gift' })).body.wfs as string
    const page = await openClientPage(shop, `/shop/order#wfs=${one}`)
    await expect.poll(async () => (await stateOf(page)).pendingResume?.wfid).toBe('shop/order')
    expect(page.url()).toBe(`${shop.url}/shop/order`)
    await page.evaluate(`location.hash = 'wfs=${other}'`)
    await expect.poll(async () => (await stateOf(page)).pendingResume?.wfid).toBe('shop/gift')
    expect(page.url()).toBe(`${shop.url}/shop/order`)
    expect(shop.ran).toEqual(['name', 'name'])
  })

  it.each([
    ['by events', { pollMs: 20 }],
    ['by asking', false],
  ])('watches what it has sent %s, over a reload, and then starts anew', async (_how, events) => {
    const shop = await openShop()
    const ledger = new WfLedgerMemory({ clock: shop.clock })
    shop.config = { ...shop.config, ledger, watchEvents: events }
    const page = await openClientPage(shop, '/shop/invite')
    await expect.poll(async () => (await stateOf(page)).form).toEqual({ ask: 'name' })
    await page.evaluate(`client.submit({ name: 'ada' })`)
    await page.reload()
    await expect.poll(async () => (await stateOf(page)).told).toEqual(['waiting'])
    await page.reload()
    await expect.poll(async () => (await stateOf(page)).told).toEqual(['waiting'])
    await shop.send({ wfs: shop.mails[0]!.token, input: { accept: 'yes' } })
    await expect.poll(async () => (await stateOf(page)).told).toEqual(['waiting', 'ended'])
    await page.reload()
    await expect.poll(async () => (await stateOf(page)).form).toEqual({ ask: 'name' })
  })

  it('sends its cookies with a code', async () => {
    bundled ??= bundleClient()
    const script = await bundled
    const side = await openOtherSide(({ method, url, body }, response) => {
      if (url === '/client.js') return response.end(script)
      if (method === 'GET') {
        const headers = {
          'content-type': 'text/html',
          'set-cookie': 'wfs-browser=mine; Path=/; HttpOnly',
        }
        return response.writeHead(200, headers).end(PAGE)
      }
      if (body.code) return sendJson(response, 200, { finished: true })
      return sendJson(response, 200, { sent: true, outlet: 'email', watch: 'a-watch-token' })
    })
    const page = await openPage()
    await page.goto(`${side.url}/auth/login`)
    await expect.poll(async () => (await stateOf(page)).response?.watch).toBe('a-watch-token')
    await page.evaluate(`client.enterCode('123456')`)
    await expect.poll(async () => (await stateOf(page)).finished).toBe(true)
    const entered = side.received.find(({ body }) => body?.code)
    expect(entered?.headers).toMatchObject({ cookie: 'wfs-browser=mine', origin: side.url })
  })
})
