import { assert, describe, expect, it, vi } from 'vitest'
import { ADA, BOB } from '../support/panel-app'
import { openPanel, type Panel } from '../support/panel-endpoint'
import type { Answer } from '../support/shop'

const HTML = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }

const look = ({ ask, linkOf }: Panel): Promise<Answer> =>
  ask({ method: 'GET', query: `?wfs=${encodeURIComponent(linkOf(ADA))}`, headers: HTML })

/** Presses a button of a page without a script. */
function press({ ask }: Panel, { text }: Answer, more: Record<string, string> = {}) {
  const hidden = [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/gu)]
  const unescaped = hidden.map(([, name, value]) => [name, value!.replaceAll('&quot;', '"')])
  const fields = { ...Object.fromEntries(unescaped), ...more }
  return ask({ rawBody: new URLSearchParams(fields).toString(), headers: HTML })
}

const CODED = { people: [{ to: ADA, requireCode: true }, { to: BOB }] }

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

  it('asks for the code that a link needs, and takes it along', async () => {
    const panel = await open(CODED)
    const first = await look(panel)
    expect(first.status).toBe(403)
    expect(first.text).toContain('Send me a code')
    expect(first.text).not.toContain('name="code"')
    const asked = await press(panel, first)
    expect(asked.status).toBe(202)
    expect(asked.text).toContain('on its way')
    await vi.waitFor(() => assert(panel.codes.length === 1))
    const { code } = panel.codes[0]!
    const wrong = await press(panel, asked, { code: '0000-0000', sendCode: '' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('This code is not right.')
    expect(wrong.text).toContain('Tries left: 4')
    expect(wrong.text).not.toContain('reload this page')
    const form = await press(panel, wrong, { code, sendCode: '' })
    expect(form.text).toContain('value="approve"')
    const noted = await press(panel, form, { action: 'approve' })
    expect(noted.text).toContain('Thank you. This is noted, and others are still asked.')
  })

  it('says that there were too many codes, and sends another', async () => {
    const panel = await open(CODED)
    await panel.codeFor(ADA)
    let page = await look(panel)
    const guess = { code: '0000-0000', sendCode: '' }
    for (let tries = 0; tries < 5; tries++) page = await press(panel, page, guess)
    expect(page.text).not.toContain('name="code"')
    expect(page.text).toContain('Send me a code')
    page = await press(panel, page, guess)
    expect([page.status, page.text]).toEqual([429, expect.stringContaining('Send me a code')])
    panel.clock.advance(60_000)
    await press(panel, page)
    await vi.waitFor(() => assert(panel.codes.length === 2))
  })

  it('keeps what was typed where the code has expired over it', async () => {
    const panel = await open(CODED)
    const code = await panel.codeFor(ADA)
    const form = await press(panel, await look(panel), { code, sendCode: '' })
    panel.clock.advance(10 * 60_000)
    const typed = { action: 'approve', 'input.comment': 'Fine, "quoted"' }
    const late = await press(panel, form, typed)
    expect(late.status).toBe(403)
    const asked = await press(panel, late)
    expect(asked.status).toBe(202)
    await vi.waitFor(() => assert(panel.codes.length === 2))
    const another = { code: panel.codes[1]!.code, sendCode: '' }
    expect((await press(panel, asked, another)).text).toContain(
      'Thank you. This is noted, and others are still asked.',
    )
    const { flowId } = (await panel.api.list()).runs[0]!
    const answered = (await panel.api.history(flowId)).find(({ type }) => type === 'answered')
    expect(answered).toMatchObject({ actor: ADA, detail: { said: { comment: 'Fine, "quoted"' } } })
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
