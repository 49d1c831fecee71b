import { describe, expect, it } from 'vitest'
import { openTurns, type OpenTurns } from '../support/turns-app'

const link = { code: true }

/** Another code, of the right form. */
const wrongCode = (n = 0) => `ZZZZ-ZZZ${n}`

describe('a code on the page without a script', () => {
  const html = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  const post = (app: OpenTurns, fields: Record<string, string>, cookie = '') =>
    app.send(undefined, { rawBody: new URLSearchParams(fields).toString(), headers: html, cookie })
  const hiddenIn = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/gu)].map(
        ([, name, value]) => [name!, value!],
      ),
    )

  it('has a field for the code, says how many tries are left, and goes on', async () => {
    const app = await openTurns({ link, config: { confirmPage: {} } })
    const sent = await post(app, { wfid: 'turns/decide', confirm: '1' })
    const cookie = sent.headers.get('set-cookie')!.split(';')[0]!
    expect(sent.text).toContain('A message is on its way.')
    expect(sent.text).toMatch(/<label for="code">Code<\/label>/u)
    expect(sent.text).toContain('autocomplete="one-time-code"')
    const { code = '', token } = app.mails.at(-1)!
    const wrong = await post(app, { ...hiddenIn(sent.text), code: wrongCode() }, cookie)
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('This code is not right.')
    expect(wrong.text).toContain('Tries left: 4')
    expect(wrong.text).toContain('aria-invalid="true"')
    expect(wrong.text).not.toContain(token)
    const again = await post(app, { ...hiddenIn(sent.text), code: wrongCode() }, cookie)
    expect(again.text).toContain('Tries left: 4')
    const form = await post(app, { ...hiddenIn(wrong.text), code }, cookie)
    expect(form.status).toBe(200)
    expect(form.text).toContain(`value="${token}"`)
    expect(form.text).toContain('input.decision')
    const elsewhere = await post(app, { ...hiddenIn(wrong.text), code })
    expect(elsewhere.status).toBe(410)
    expect(elsewhere.text).not.toContain(token)
  })

  it('has no field where the message has no code, or no try is left', async () => {
    const app = await openTurns({ config: { confirmPage: {} } })
    const plain = await post(app, { wfid: 'turns/decide', confirm: '1' })
    expect(plain.text).not.toContain('name="code"')
    const coded = await openTurns({ link, config: { confirmPage: {} } })
    const sent = await post(coded, { wfid: 'turns/decide', confirm: '1' })
    const cookie = sent.headers.get('set-cookie')!.split(';')[0]!
    const { watch = '' } = hiddenIn(sent.text)
    const pages: string[] = []
    for (let n = 0; n < 6; n++) {
      const { text } = await post(coded, { watch, confirm: '1', code: wrongCode(n) }, cookie)
      pages.push(text)
    }
    expect(pages.map(text => text.includes('name="code"'))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    expect(pages[5]).toContain('Too many wrong codes.')
  })
})
