import { expect, it, onTestFinished, vi } from 'vitest'
import { blocksOf, importExample } from '../support/example'
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
