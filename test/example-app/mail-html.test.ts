import { describe, expect, it, onTestFinished } from 'vitest'
import { LINK_MAILS } from '../../example-app/src/mail/link-mails'
import { mailText } from '../../example-app/src/mail/mail-text'
import { Mailer } from '../../example-app/src/mail/mailer'
import { startMailServer } from '../support/mail-server'

const EVIL = `<script>alert("1")</script>'&`
const ESCAPED = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;'
const URL = 'https://app.example.com/accept?wfs=a&b="c"'

/** Whatever a template may ask for. */
const CONTEXT = new Proxy({ amount: 12 } as Record<string, unknown>, {
  get: (known, name: string) => known[name] ?? EVIL,
})

describe('a mail', () => {
  it('goes out as text, and as HTML beside it', async () => {
    const server = await startMailServer()
    const mailer = new Mailer({ smtpUrl: `smtp://127.0.0.1:${server.port}`, domain: 'localhost' })
    await mailer.open()
    onTestFinished(() => mailer.close())
    await mailer.send('ada@example.com', mailText('Hello', ['One.', 'Two.']))
    const [{ source, text } = { source: '', text: '' }] = server.mails
    expect(text.trim()).toBe('One.\n\nTwo.')
    const [, boundary = ''] = /multipart\/alternative;\s+boundary="([^"]+)"/u.exec(source) ?? []
    const types = source
      .split(`--${boundary}\r\n`)
      .slice(1)
      .map(part => /^content-type: ([\w/]+)/iu.exec(part)?.[1])
    expect(types).toEqual(['text/plain', 'text/html'])
  })

  it('has a button, the same link to be read, and the one without JavaScript', () => {
    const plainUrl = 'https://app.example.com/api/wf?wfs=a'
    const { html, text } = mailText('Hello', ['One.'], { label: 'Go on', url: URL, plainUrl })
    const links = [
      ...html.matchAll(/<a href="([^"]*)" target="_blank" rel="noopener noreferrer"/gu),
    ]
    const escaped = 'https://app.example.com/accept?wfs=a&amp;b=&quot;c&quot;'
    expect(links.map(([, href]) => href)).toEqual([escaped, escaped, plainUrl])
    expect(html).toContain('>Go on</a>')
    expect(html).toContain(`>${escaped}</a>`)
    expect(text).toBe(`One.\n\nGo on: ${URL}\n\nWithout JavaScript: ${plainUrl}`)
  })

  it('begins with what a list of mails shows of it, and keeps the lines of a comment', () => {
    const { html } = mailText('Hello', ['First.\nSecond.', 'Third.'])
    const [, body = ''] = html.split('<body')
    expect(body).toMatch(/^[^>]*>\s*<div style="display:none[^"]*">First\.\nSecond\.<\/div>/u)
    expect(html).toContain('>First.<br>Second.</p>')
    expect(html).toContain('<title>Hello</title>')
  })

  it.each(Object.entries(LINK_MAILS))('shows what people wrote as text: %s', (_name, mail) => {
    const { html, text } = mail.write(CONTEXT, URL, URL)
    expect(html).not.toMatch(/<script|<img|<link|<style|<iframe|url\(|src=/iu)
    expect(html.match(/<script/giu)).toBeNull()
    if (text.includes(EVIL)) expect(html).toContain(ESCAPED)
    // In the order of the text, and nothing is left out.
    const [first = ''] = text.split('\n\n')
    expect(html.replaceAll('<br>', '\n')).toContain(escaped(first))
  })

  it('shows an address, a name and a comment as text', () => {
    const { html } = mailText(EVIL, [`${EVIL}@example.com asks`, EVIL], { label: EVIL, url: URL })
    expect(html).not.toContain('<script')
    // Title, preheader, headline, two paragraphs and the button.
    expect(html.split(ESCAPED)).toHaveLength(7)
  })

  it('has colours for the dark, and light ones for who does not know those', () => {
    const { html } = mailText('Hello', ['One.'], { label: 'Go on', url: URL })
    for (const [, property, light, both] of html.matchAll(
      /(?<=["';])((?:background-)?color|border-color):(#\w{6});\1:light-dark\((#\w{6}),#\w{6}\)/gu,
    )) {
      expect(both, property).toBe(light)
    }
    const known = html.replaceAll(/[\w-]+:light-dark\([^)]*\);?/gu, '')
    expect(known).not.toContain('light-dark')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
  })
})

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
