import { outletEmail, outletHttp, WfLedgerMemory } from '@atscript/moost-wf'
import { mailScanner } from '@atscript/moost-wf/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, openPage, screenshot } from '../support/browser'
import { openShop } from '../support/shop'

/** A link in a mail, to an endpoint that asks before it goes on. */
async function openLink() {
  const shop = await openShop()
  const ledger = new WfLedgerMemory({ clock: shop.clock })
  shop.config = { ...shop.config, ledger, resumeUrl: '/accept' }
  shop.onName = (input, ctx) => {
    if (ctx.tries === undefined) {
      ctx.tries = 1
      return outletEmail('ada@example.com', 'invite')
    }
    return input?.name ? undefined : outletHttp({ ask: 'name' })
  }
  await shop.send({ wfid: 'shop/gift' })
  return { shop, link: `${shop.url}/wf?wfs=${encodeURIComponent(shop.mails[0]!.token)}` }
}

// There is no page at /accept here, and the framework's own 404 page wants pictures from afar.
const MISSING_PAGE = /status of 4(?:04|10)|ERR_NAME_NOT_RESOLVED/u

describeInBrowser('the page that asks to confirm a link', () => {
  it('goes on by the keyboard, after scanners have been there with a browser', async () => {
    const { shop, link } = await openLink()
    const scanner = await openPage()
    const browse = async (address: string) => void (await scanner.goto(address))
    await mailScanner({ clock: shop.clock, browse })(link)
    const page = await openPage({ mayLog: MISSING_PAGE })
    await page.goto(link)
    await screenshot(page, 'confirm-page')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/accept#wfs=*')
    const wfs = decodeURIComponent(page.url().split('#wfs=')[1] ?? '')
    expect((await shop.send({ wfs, input: { name: 'Ada' } })).body.finished).toBe(true)
    expect(shop.rejections).toEqual([])
  })

  it('says so in a sentence when the link was used', async () => {
    const { link } = await openLink()
    const page = await openPage({ mayLog: MISSING_PAGE })
    await page.goto(link)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/accept#wfs=*')
    await page.goto(link)
    const heading = page.getByRole('heading', { name: 'This link or form has been used already.' })
    expect(await heading.count()).toBe(1)
    await screenshot(page, 'used-link-page')
  })
})
