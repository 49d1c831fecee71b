import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readFile, root } from '../support/project'

const { text } = readFile('README.md')
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'gu'))].map(
    ([, b = '']) => b,
  )

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

it('begins with the two commands', () => {
  expect(blocks('sh')).toEqual(['npm ci && npm start\n', 'npm ci && npm test\n'])
})

it('shows a two-step workflow that does what the README says', async () => {
  const folder = join(root, 'test/docs/.generated')
  mkdirSync(folder, { recursive: true })
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [example = ''] = blocks('ts')
  const exported = `${example}\nexport const close = () => http.close(100)\n`
  const file = join(folder, 'readme.ts')
  writeFileSync(file, exported)
  const port = await freePort()
  process.env.PORT = String(port)
  const { close } = (await import(/* @vite-ignore */ file)) as { close(): Promise<void> }
  onTestFinished(close)

  const console = blocks('console')[0] ?? ''
  const exchanges = [...console.matchAll(/-d '(.*)'\n(.*)\n/gu)]
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
