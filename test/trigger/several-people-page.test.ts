import { describe, expect, it } from 'vitest'
import { ADA } from '../support/panel-app'
import { openPanel, type Panel } from '../support/panel-endpoint'
import type { Answer } from '../support/shop'

const HTML = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }

const look = ({ ask, linkOf }: Panel): Promise<Answer> =>
  ask({ method: 'GET', query: `?wfs=${encodeURIComponent(linkOf(ADA))}`, headers: HTML })

/** Presses a button of a page without a script. */
function press({ ask }: Panel, { text }: Answer, more: Record<string, string> = {}) {
  const hidden = [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/gu)]
  const fields = { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), ...more }
  return ask({ rawBody: new URLSearchParams(fields).toString(), headers: HTML })
}

const open = (how: Parameters<typeof openPanel>[1] = {}) =>
  openPanel('a socket', how, { confirmPage: {} })

describe('the page without a script, for one of several people', () => {
  it('has their buttons, and says that the answer is noted', async () => {
    const panel = await open()
    const form = await press(panel, await look(panel))
    expect(form.text).toContain('value="approve"')
    expect(form.text).toContain('value="reject"')
    const noted = await press(panel, form, { action: 'approve' })
    expect(noted.status).toBe(200)
    expect(noted.text).toContain('Thank you. This is noted, and others are still asked.')
    expect(noted.text).not.toContain('come back by the same link')
    expect((await look(panel)).text).toContain('answered')
  })

  it('says that they can come back, where they can', async () => {
    const panel = await open({ how: { quorum: 'all', canChange: true } })
    const form = await press(panel, await look(panel))
    const noted = await press(panel, form, { action: 'approve' })
    expect(noted.text).toContain('come back by the same link')
    const again = await press(panel, await look(panel))
    expect((await press(panel, again, { action: 'reject' })).text).toContain('Done.')
  })

  it('is shown to nobody but whoever must be signed in', async () => {
    const people = [{ to: ADA, requireUser: true as const }]
    const panel = await open({ people })
    const page = await look(panel)
    expect(page.status).toBe(403)
    expect(page.text).toContain('signed in')
    expect(page.text).not.toContain('Approve')
  })
})
