import type { Page, Request } from 'playwright-core'

/** What Chromium logs for an answer that does not come. */
export const MAY_LOSE = /ERR_FAILED|ERR_INTERNET_DISCONNECTED|status of 4(?:09|10|22)/u

/**
 * Loses the next answer to a POST after the server has done what it was asked. Nothing of the answer reaches the
 * browser, its cookies included.
 */
export async function loseNextAnswer(page: Page, path = '**/api/wf'): Promise<void> {
  let isLost = false
  await page.route(path, async route => {
    if (isLost || route.request().method() !== 'POST') return route.fallback()
    isLost = true
    await sendAlone(route.request())
    await route.abort()
  })
}

async function sendAlone(request: Request): Promise<void> {
  const { cookie = '', origin = '' } = await request.allHeaders()
  const headers = { 'content-type': 'application/json', cookie, origin }
  const answer = await fetch(request.url(), {
    method: 'POST',
    headers,
    body: request.postData() ?? undefined,
  })
  await answer.text()
}

/** Leaves the tunnel. */
export async function comeBackOnline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.context().setOffline(false)
}
