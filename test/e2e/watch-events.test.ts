import { WfLedgerMemory } from '@atscript/moost-wf'
import { expect, it } from 'vitest'
import { describeInBrowser, openPage } from '../support/browser'
import { openShop } from '../support/shop'

const MAY_REFUSE = /status of 4(?:04|05)/u

describeInBrowser('a page that has sent a mail', () => {
  it('is told by its EventSource, which knows when there is no more', async () => {
    const shop = await openShop()
    const ledger = new WfLedgerMemory({ clock: shop.clock })
    shop.config = { ...shop.config, ledger, watchEvents: { pollMs: 20, lifetimeMs: 300 } }
    const wfs = await shop.start('shop/invite')
    const { watch } = (await shop.send({ wfs, input: { name: 'ada' } })).body
    const page = await openPage({ mayLog: MAY_REFUSE })
    await page.goto(`${shop.url}/wf`)
    const watching = page.evaluate(
      address =>
        new Promise(resolve => {
          const states: string[] = []
          const source = new EventSource(address)
          let streams = 0
          source.addEventListener('open', () => (streams += 1))
          source.addEventListener('state', event => {
            states.push(JSON.parse((event as Event & { data: string }).data).state)
          })
          // It opens the stream again by itself until it is told that there is no more.
          source.addEventListener('error', () => {
            if (source.readyState === EventSource.CLOSED) resolve({ states, streams })
          })
        }),
      `/wf?watch=${watch}`,
    ) as Promise<{ states: string[]; streams: number }>
    // Behind the end of the first stream.
    await new Promise(resolve => setTimeout(resolve, 1000))
    await shop.send({ wfs: shop.mails[0]!.token, input: { accept: 'yes' } })
    const { states, streams } = await watching
    expect(states.at(0)).toBe('waiting')
    expect(states.filter(state => state === 'ended')).toHaveLength(1)
    expect(states.at(-1)).toBe('ended')
    expect(streams).toBeGreaterThan(1)
  })
})
