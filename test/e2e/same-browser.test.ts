import { HandleStateStrategy, outletEmail, outletHttp } from '@atscript/moost-wf'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, openPage } from '../support/browser'
import { openShop } from '../support/shop'

const MAY_REFUSE = /status of 4(?:03|04|05|10)|ERR_NAME_NOT_RESOLVED/u

/** Posts from a page, as the client does: with the cookies that the browser has kept. */
const post = (page: Page, body: object) =>
  page.evaluate(async text => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch('/wf', { method: 'POST', headers, body: text })
    return { status: response.status, body: (await response.json()) as { wfs?: string } }
  }, JSON.stringify(body))

async function openShopPage(shop: { readonly url: string }) {
  const page = await openPage({ mayLog: MAY_REFUSE })
  await page.goto(`${shop.url}/wf`)
  return page
}

describeInBrowser('a browser that is to be known again', () => {
  it('opens the link that it has asked for, and another one does not', async () => {
    const shop = await openShop()
    shop.onName = () => outletEmail('a@b.cd', 'sign-in', {}, { link: 'sameBrowser' })
    const [page, other] = [await openShopPage(shop), await openShopPage(shop)]
    expect((await post(page, { wfid: 'shop/gift' })).body).toMatchObject({ sent: true })
    shop.onName = () => undefined
    const request = { wfs: shop.mails[0]!.token, input: { name: 'Ada' } }
    expect((await post(other, request)).status).toBe(403)
    expect((await post(page, request)).body).toMatchObject({ finished: true })
  })

  it('is shown where its flow is now by an older tab', async () => {
    const shop = await openShop()
    shop.config = {
      ...shop.config,
      state: new HandleStateStrategy({ store: shop.store, stable: true }),
    }
    const [page, other] = [await openShopPage(shop), await openShopPage(shop)]
    const { wfs } = (await post(page, { wfid: 'shop/order' })).body
    await post(page, { wfs, input: { name: 'Ada' } })
    shop.onName = () => outletHttp({ ask: 'name' })
    const old = await post(page, { wfs, input: { name: 'Eve' } })
    expect(old).toMatchObject({
      status: 410,
      body: { inputRequired: { payload: { ask: 'address' } } },
    })
    const elsewhere = await post(other, { wfs, input: { name: 'Eve' } })
    expect([elsewhere.status, elsewhere.body.wfs]).toEqual([410, undefined])
  })
})
