import { expect, it, onTestFinished, vi } from 'vitest'
import { blocksOf, importExample } from '../support/example'
import { startExampleApp } from '../support/example-app'
import { freePort } from '../support/free-port'

it('begins with the two commands', () => {
  expect(blocksOf('README.md', 'sh')).toEqual(['npm ci && npm start\n', 'npm ci && npm test\n'])
})

it('shows a two-step workflow that does what the README says', async () => {
  const port = await freePort()
  vi.stubEnv('PORT', String(port))
  const { close } = await importExample<{ close(): Promise<void> }>(
    'README.md',
    'export const close = () => http.close(100)',
  )
  onTestFinished(close)

  const exchanges = [...(blocksOf('README.md', 'console')[0] ?? '').matchAll(/-d '(.*)'\n(.*)\n/gu)]
  expect(exchanges).toHaveLength(3)
  let wfs = ''
  for (const [, sent = '', shown = ''] of exchanges) {
    const response = await fetch(`http://127.0.0.1:${port}/api/wf`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...JSON.parse(sent), ...(sent.includes('wfs') && { wfs }) }),
    })
    const answer = (await response.json()) as { wfs: string }
    const expected = JSON.parse(shown) as object
    wfs = answer.wfs
    expect(answer).toEqual({ ...expected, ...('wfs' in expected && { wfs: expect.any(String) }) })
  }
})

it('shows what curl gets from the example', async () => {
  const { url } = await startExampleApp()
  const block = blocksOf('README.md', 'console').find(text => text.includes('/api/inbox')) ?? ''
  const exchanges = [...block.matchAll(/^\$ curl localhost:3000(\S+)(.*)\n(.*)$/gmu)]
  expect(exchanges).toHaveLength(4)
  let cookie = ''
  let wfs = ''
  for (const [, path = '', options = '', shown = ''] of exchanges) {
    const [, body] = /-d '(.*)'/u.exec(options) ?? []
    // The mail leaves behind the answer.
    if (!body) await expect.poll(() => readText(`${url}${path}`)).toContain('wfs=')
    const answer = await fetch(`${url}${path}`, {
      headers: {
        ...(options.includes('-b jar') && { cookie }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: body.replace(/durable\.[^"]*/u, wfs) }),
    })
    const text = await answer.text()
    expect(text).toMatch(asShown(shown))
    if (options.includes('-c jar')) cookie = answer.headers.getSetCookie().join('; ')
    wfs = /wfs=(durable\.[\w-]+)/u.exec(text)?.[1] ?? wfs
  }
})

const readText = async (url: string) => (await fetch(url)).text()

/** A text of the README, in which … stands for anything, and `2f6d…` for any id. */
function asShown(text: string): RegExp {
  const parts = text.split(/\s*(?:\b[\da-f]{4})?…\s*/u)
  const escaped = parts.map(part => part.replaceAll(/[\\^$.*+?()[\]{}|]/gu, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`, 'su')
}
