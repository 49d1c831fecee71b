import type { WfClientOptions, WfClientState } from '@atscript/moost-wf/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Shop } from '../support/shop'
import { openTab, unsureNetwork } from './browser'
import { orderAt, shopWithLedger } from './orders'

/** These forms are not described: all that is typed into them may be kept. */
const rememberingOrderAt = (shop: Shop, options: Partial<WfClientOptions> = {}) =>
  orderAt(shop, { remember: (_form, data) => data as Record<string, unknown>, ...options })

/** The button that waits, each time that it is another one; `idle` if one waits for nothing. */
function watchButtons(client: { subscribe(tell: (state: WfClientState) => void): unknown }) {
  const seen: WfClientState['pressed'][] = []
  client.subscribe(({ pressed, loading }) => {
    const button = pressed !== undefined && !loading ? 'idle' : pressed
    if (seen.length === 0 || button !== seen.at(-1)) seen.push(button)
  })
  return seen
}

describe('the button that was pressed', () => {
  it('waits for its own request, and for no other', async () => {
    const client = rememberingOrderAt(await shopWithLedger())
    const seen = watchButtons(client)
    await client.start()
    await client.action('resend')
    await client.submit({ name: 'Ada' })
    await client.restart()
    expect(seen).toEqual([undefined, 'resend', undefined, true, undefined])
  })

  it('is the last one, if another was pressed before', async () => {
    const client = rememberingOrderAt(await shopWithLedger())
    await client.start()
    const seen = watchButtons(client)
    void client.action('resend')
    void client.submit({ name: 'Ada' })
    await client.submit({ name: 'Ada' })
    expect(seen).toEqual([undefined, 'resend', true, undefined])
  })

  it('waits no more when the request has failed, and again when it is retried', async () => {
    const network = unsureNetwork()
    const client = rememberingOrderAt(await shopWithLedger(), network)
    await client.start()
    const seen = watchButtons(client)
    network.loses = 'request'
    await client.action('draft', { name: 'Ada' })
    await client.retry()
    network.loses = undefined
    await client.retry()
    expect(seen).toEqual([undefined, 'draft', undefined, 'draft', undefined, 'draft', undefined])
  })

  it('waits again when the page comes back online', async () => {
    const page = new EventTarget()
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    onTestFinished(() => void vi.unstubAllGlobals())
    const network = unsureNetwork()
    const client = rememberingOrderAt(await shopWithLedger(), network)
    await client.start()
    network.loses = 'answer'
    await client.action('draft', { name: 'Ada' })
    network.loses = undefined
    page.dispatchEvent(new Event('online'))
    expect(client.state.pressed).toBe('draft')
    await expect.poll(() => client.state.form).toEqual({ ask: 'address' })
    expect(client.state.pressed).toBeUndefined()
  })

  it('waits until it is known what has become of an earlier one', async () => {
    const network = unsureNetwork()
    const client = rememberingOrderAt(await shopWithLedger(), network)
    await client.start()
    network.loses = 'answer'
    await client.action('draft', { name: 'Ada' })
    network.loses = undefined
    const seen = watchButtons(client)
    const state = await client.submit({ name: 'Eve' })
    expect(state).toMatchObject({ context: { for: 'Ada' }, alreadyReceived: true })
    expect(seen).toEqual([undefined, true, undefined])
    expect(network.bodies().map(({ action }) => action)).toEqual([
      undefined,
      'draft',
      undefined,
      'draft',
    ])
  })

  it('is known after a reload, while its request is repeated', async () => {
    const shop = await shopWithLedger()
    openTab()
    const network = unsureNetwork()
    const before = rememberingOrderAt(shop, network)
    await before.start()
    network.loses = 'answer'
    await before.action('draft', { name: 'Ada' })
    network.loses = undefined
    const after = rememberingOrderAt(shop, network)
    const seen = watchButtons(after)
    const state = await after.start()
    expect(state).toMatchObject({ form: { ask: 'address' }, alreadyReceived: true })
    expect(seen).toEqual([undefined, 'draft', undefined])
  })

  it('does not wait when there is nothing to send it with', async () => {
    const shop = await shopWithLedger()
    const tab = openTab()
    const client = rememberingOrderAt(shop)
    await client.start()
    await shop.send({ wfs: tab.tokens[0], input: { name: 'Eve' } })
    await client.submit({ name: 'Ada' })
    const seen = watchButtons(client)
    await client.submit({ name: 'Ada!' })
    expect(seen).toEqual([undefined])
  })
})
